-- AlterTable
ALTER TABLE "versions" ADD COLUMN     "may_distribute" BOOLEAN NOT NULL DEFAULT true;
