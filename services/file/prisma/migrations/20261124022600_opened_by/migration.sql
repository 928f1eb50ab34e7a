-- AlterTable
ALTER TABLE "versions" ADD COLUMN     "opened_by" INTEGER;
