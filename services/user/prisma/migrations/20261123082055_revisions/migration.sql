-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "groups" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1;
