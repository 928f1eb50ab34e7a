-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "generation" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "user_imports" ADD COLUMN     "opened_in" TEXT;
