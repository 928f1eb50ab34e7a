-- AlterTable
ALTER TABLE "partners" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "units" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1;
