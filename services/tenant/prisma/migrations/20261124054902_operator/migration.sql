-- What the operator's area needs. The rows of all tenants are filled in.
SELECT set_config('app.scope', 'system', true);

-- Names and codes in the form in which they are compared, which an index can serve under row-level security.
DROP INDEX "partners_name_partner_id_idx";
DROP INDEX "partners_partner_code_key";
DROP INDEX "units_name_id_idx";

ALTER TABLE "units" ADD COLUMN "name_key" TEXT;
UPDATE "units" SET "name_key" = lower("name");
ALTER TABLE "units" ALTER COLUMN "name_key" SET NOT NULL;

-- Nobody loses the group that is everyone, which every tenant could use until now.
ALTER TABLE "partners"
  ADD COLUMN "name_key" TEXT,
  ADD COLUMN "partner_code_key" TEXT,
  ADD COLUMN "time_zone" TEXT;
UPDATE "partners"
SET "name_key" = lower("name"), "partner_code_key" = lower("partner_code"), "time_zone" = 'Asia/Tokyo', "file_public_flag" = true;
ALTER TABLE "partners"
  ALTER COLUMN "name_key" SET NOT NULL,
  ALTER COLUMN "partner_code_key" SET NOT NULL,
  ALTER COLUMN "time_zone" SET NOT NULL;

-- Administrators of the platform are kept as well.
ALTER TABLE "unit_admins" RENAME TO "admins";
ALTER TABLE "admins" ALTER COLUMN "unit_id" DROP NOT NULL;
ALTER TABLE "admins" RENAME CONSTRAINT "unit_admins_pkey" TO "admins_pkey";
ALTER INDEX "unit_admins_unit_id_admin_id_idx" RENAME TO "admins_unit_id_admin_id_idx";

-- CreateTable
CREATE TABLE "licence_changes" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "partner_name" TEXT NOT NULL,
    "admin_id" INTEGER,
    "changed_by" TEXT,
    "before" JSONB,
    "after" JSONB NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "licence_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "partner_units" (
    "partner_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,

    CONSTRAINT "partner_units_pkey" PRIMARY KEY ("partner_id")
);
INSERT INTO "partner_units" SELECT "partner_id", "unit_id" FROM "partners";

-- CreateTable
CREATE TABLE "partner_groups" (
    "partner_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,

    CONSTRAINT "partner_groups_pkey" PRIMARY KEY ("partner_id","group_id")
);

-- CreateIndex
CREATE INDEX "licence_changes_partner_id_changed_at_id_idx" ON "licence_changes"("partner_id", "changed_at", "id");

-- CreateIndex
CREATE INDEX "licence_changes_changed_at_id_idx" ON "licence_changes"("changed_at", "id");

-- CreateIndex
CREATE INDEX "partner_units_unit_id_partner_id_idx" ON "partner_units"("unit_id", "partner_id");

-- CreateIndex
CREATE UNIQUE INDEX "partners_partner_code_key_key" ON "partners"("partner_code_key");

-- CreateIndex
CREATE INDEX "partners_name_key_partner_id_idx" ON "partners"("name_key", "partner_id");

-- CreateIndex
CREATE UNIQUE INDEX "units_name_key_key" ON "units"("name_key");

-- CreateIndex
CREATE INDEX "units_owner_partnerid_idx" ON "units"("owner_partnerid");

-- The log of licences is never changed and never deleted.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Rows of % stay as they are', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER "stays" BEFORE UPDATE OR DELETE ON "licence_changes"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "stays_whole" BEFORE TRUNCATE ON "licence_changes"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The administrators of a unit see the changes of its present partners, and of those that it had last.
CREATE POLICY "unit" ON "licence_changes"
  USING (partner_id IN (SELECT partner_id FROM partner_units WHERE unit_id = (SELECT scope.genuine('unit'))))
  WITH CHECK (partner_id IN (SELECT partner_id FROM partner_units WHERE unit_id = (SELECT scope.genuine('unit'))));

-- What the administrators of a unit have to see of its partners to change them.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['licence_use', 'stored_files'] LOOP
        EXECUTE format('CREATE POLICY "unit" ON %I FOR SELECT
          USING (partner_id IN (SELECT partner_id FROM partners WHERE unit_id = (SELECT scope.genuine(''unit''))))', name);
    END LOOP;
END
$$;
