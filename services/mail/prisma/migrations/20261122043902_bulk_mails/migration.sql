-- DropIndex
DROP INDEX "mails_due_at_idx";

-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "bulk" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "mails_bulk_due_at_id_idx" ON "mails"("bulk", "due_at", "id");
