-- CreateTable
CREATE TABLE "file_pushes" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "notification_id" INTEGER NOT NULL,

    CONSTRAINT "file_pushes_pkey" PRIMARY KEY ("partner_id","file_id","user_id")
);
