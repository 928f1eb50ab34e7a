-- CreateEnum
CREATE TYPE "contract_rank" AS ENUM ('free', 'trial', 'entry', 'standard', 'enterprise');

-- CreateEnum
CREATE TYPE "license_type" AS ENUM ('user', 'device');

-- CreateEnum
CREATE TYPE "lang" AS ENUM ('ja', 'en');

-- CreateTable
CREATE TABLE "units" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "allocated_license" INTEGER NOT NULL,
    "owner_partnerid" INTEGER NOT NULL,
    "can_force_distribute_app" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "units_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "unit_admins" (
    "admin_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" INTEGER NOT NULL,

    CONSTRAINT "unit_admins_pkey" PRIMARY KEY ("admin_id")
);

-- CreateTable
CREATE TABLE "partners" (
    "partner_id" SERIAL NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "partner_code" TEXT NOT NULL,
    "contract_rank" "contract_rank" NOT NULL,
    "license_type" "license_type" NOT NULL,
    "license_count" INTEGER NOT NULL,
    "license_expired_on" TIMESTAMPTZ(3),
    "user_device_limit" INTEGER NOT NULL,
    "uap_file_limit" INTEGER NOT NULL,
    "file_public_flag" BOOLEAN NOT NULL,
    "operation_log_download_flag" BOOLEAN NOT NULL,
    "email" TEXT,
    "partner_item" TEXT NOT NULL,
    "json" TEXT NOT NULL,
    "comment" TEXT NOT NULL,
    "managers" TEXT NOT NULL,
    "lang" "lang" NOT NULL,
    "mail_count" INTEGER NOT NULL DEFAULT 0,
    "bounce_count" INTEGER NOT NULL DEFAULT 0,
    "last_bounce_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "partners_pkey" PRIMARY KEY ("partner_id")
);

-- CreateIndex
CREATE INDEX "units_name_id_idx" ON "units"("name", "id");

-- CreateIndex
CREATE INDEX "unit_admins_unit_id_admin_id_idx" ON "unit_admins"("unit_id", "admin_id");

-- CreateIndex
CREATE INDEX "partners_unit_id_partner_id_idx" ON "partners"("unit_id", "partner_id");

-- CreateIndex
CREATE INDEX "partners_name_partner_id_idx" ON "partners"("name", "partner_id");

-- CreateIndex
CREATE INDEX "partners_license_expired_on_partner_id_idx" ON "partners"("license_expired_on", "partner_id");

-- CreateIndex
CREATE INDEX "partners_created_at_partner_id_idx" ON "partners"("created_at", "partner_id");

-- AddForeignKey
ALTER TABLE "partners" ADD CONSTRAINT "partners_unit_id_fkey" FOREIGN KEY ("unit_id") REFERENCES "units"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Row-level security of partners
ALTER TABLE "partners" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "partners" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "partners"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- A partner code is unique over all partners, ignoring case.
CREATE UNIQUE INDEX "partners_partner_code_key" ON "partners"(lower("partner_code"));
