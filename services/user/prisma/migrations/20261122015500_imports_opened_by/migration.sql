-- AlterTable
ALTER TABLE "user_imports" ADD COLUMN     "opened_by" INTEGER;
