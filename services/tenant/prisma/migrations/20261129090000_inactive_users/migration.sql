-- Inactive users take no licence, but are kept: a tenant that has them is not deleted. Whoever was kept until now is active.
-- AlterTable
ALTER TABLE "licence_holders" ADD COLUMN     "active" BOOLEAN NOT NULL DEFAULT true;
