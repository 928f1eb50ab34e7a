-- CreateTable
CREATE TABLE "pushbox_entries" (
    "id" BIGSERIAL NOT NULL,
    "service" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "collapse_key" TEXT NOT NULL,
    "partner_id" INTEGER,
    "push_id" TEXT NOT NULL,
    "title" TEXT,
    "message" TEXT NOT NULL,
    "json" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pushbox_entries_pkey" PRIMARY KEY ("token","service","collapse_key")
);

-- CreateIndex
CREATE INDEX "pushbox_entries_id_idx" ON "pushbox_entries"("id");
