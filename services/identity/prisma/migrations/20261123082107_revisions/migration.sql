-- AlterTable
ALTER TABLE "admins" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1;
