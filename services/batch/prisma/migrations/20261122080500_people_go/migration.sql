-- AlterTable
ALTER TABLE "people" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- Of the deleted ones alone: they are few among all.
CREATE INDEX "people_deleted_idx" ON "people" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
