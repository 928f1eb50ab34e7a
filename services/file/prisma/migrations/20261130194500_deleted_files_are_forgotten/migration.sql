-- AlterTable
ALTER TABLE "files" ADD COLUMN     "forgotten" BOOLEAN NOT NULL DEFAULT false;

-- What was told of deleted files is still to be forgotten of these, in the order of their deletion.
CREATE INDEX "files_to_forget_idx" ON "files"("updated_at") WHERE "deleted" AND NOT "forgotten";
