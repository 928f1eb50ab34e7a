-- What is kept of partners is asked for anew, since their unit is not known here. (A DELETE would see no row: the
-- policies bind the owner of the tables too.)
TRUNCATE TABLE "partners";

-- AlterTable
ALTER TABLE "partners" ADD COLUMN "unit_id" INTEGER NOT NULL;

-- CreateIndex
CREATE INDEX "accounts_partner_id_role_id_idx" ON "accounts"("partner_id", "role", "id");
