-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "generation" INTEGER NOT NULL DEFAULT 0;
