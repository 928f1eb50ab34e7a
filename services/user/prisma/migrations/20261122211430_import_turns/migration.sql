-- AlterTable
ALTER TABLE "user_imports" ADD COLUMN     "failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "more_errors" BOOLEAN NOT NULL DEFAULT false;
