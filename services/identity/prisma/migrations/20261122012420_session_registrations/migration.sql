-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "registration" INTEGER NOT NULL DEFAULT 0;
