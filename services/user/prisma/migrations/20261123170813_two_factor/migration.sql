-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "two_factor" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "two_factor_revision" INTEGER NOT NULL DEFAULT 0;
