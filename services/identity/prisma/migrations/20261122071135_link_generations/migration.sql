-- AlterTable
ALTER TABLE "password_links" ADD COLUMN     "generation" INTEGER NOT NULL DEFAULT 0;
