-- AlterTable
ALTER TABLE "devices" ADD COLUMN     "registration" SERIAL NOT NULL;
