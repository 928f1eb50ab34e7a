-- CreateTable
CREATE TABLE "daily_pushes" (
    "partner_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "delivered" INTEGER NOT NULL,

    CONSTRAINT "daily_pushes_pkey" PRIMARY KEY ("partner_id","day")
);

-- CreateIndex
CREATE INDEX "daily_pushes_day_idx" ON "daily_pushes"("day");
