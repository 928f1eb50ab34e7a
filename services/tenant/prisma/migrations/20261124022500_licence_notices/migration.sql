-- AlterTable
ALTER TABLE "partners" ADD COLUMN     "licence_told_days" INTEGER,
ADD COLUMN     "licence_told_for" TIMESTAMPTZ(3);
