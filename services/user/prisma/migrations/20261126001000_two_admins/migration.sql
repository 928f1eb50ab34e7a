-- AlterTable
ALTER TABLE "partners" ADD COLUMN     "two_admins" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "two_admins_at" TIMESTAMPTZ(3);
