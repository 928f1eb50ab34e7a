-- AlterTable
ALTER TABLE "notices" ADD COLUMN     "except" TEXT;
