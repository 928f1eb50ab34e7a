-- AlterTable
ALTER TABLE "keepings" ADD COLUMN     "passed_at" TIMESTAMPTZ(3);
