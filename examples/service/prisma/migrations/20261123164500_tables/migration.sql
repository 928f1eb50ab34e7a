-- CreateTable
CREATE TABLE "partners" (
    "partner_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "contract_rank" TEXT NOT NULL,
    "license_expired_on" TEXT DEFAULT 'unknown',

    CONSTRAINT "partners_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "notices" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "document" TEXT,
    "document_version" INTEGER NOT NULL DEFAULT 0,
    "published_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "notices_partner_id_id_key" ON "notices"("partner_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notices_partner_id_name_key_key" ON "notices"("partner_id", "name_key");

-- Row-level security of partners
ALTER TABLE "partners" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "partners" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "partners"
  USING ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'))
  WITH CHECK ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'));

-- Row-level security of notices
ALTER TABLE "notices" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "notices" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "notices"
  USING ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'))
  WITH CHECK ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'));
