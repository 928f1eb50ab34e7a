-- AlterTable
ALTER TABLE "partners" ADD COLUMN     "contract_rank" TEXT;
