-- AlterTable
ALTER TABLE "user_imports" ADD COLUMN     "confirmed" BOOLEAN NOT NULL DEFAULT false;
