-- CreateTable
CREATE TABLE "notices" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER,
    "unit_id" INTEGER,
    "audience" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notice_reads" (
    "notice_id" INTEGER NOT NULL,
    "reader" TEXT NOT NULL,
    "partner_id" INTEGER,
    "unit_id" INTEGER,

    CONSTRAINT "notice_reads_pkey" PRIMARY KEY ("notice_id","reader")
);

-- CreateIndex
CREATE INDEX "notices_audience_id_idx" ON "notices"("audience", "id");

-- CreateIndex
CREATE INDEX "notices_created_at_idx" ON "notices"("created_at");

-- CreateIndex
CREATE INDEX "notices_partner_id_idx" ON "notices"("partner_id");

-- CreateIndex
CREATE INDEX "notice_reads_reader_idx" ON "notice_reads"("reader");

-- CreateIndex
CREATE INDEX "notice_reads_partner_id_idx" ON "notice_reads"("partner_id");

-- AddForeignKey
ALTER TABLE "notice_reads" ADD CONSTRAINT "notice_reads_notice_id_fkey" FOREIGN KEY ("notice_id") REFERENCES "notices"("id") ON DELETE CASCADE ON UPDATE CASCADE;
