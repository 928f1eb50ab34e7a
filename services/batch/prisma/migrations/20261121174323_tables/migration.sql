-- CreateTable
CREATE TABLE "partners" (
    "partner_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "contract_rank" TEXT NOT NULL,
    "operation_log_download_flag" BOOLEAN NOT NULL,

    CONSTRAINT "partners_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "people" (
    "kind" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "partner_id" INTEGER,
    "name" TEXT NOT NULL,

    CONSTRAINT "people_pkey" PRIMARY KEY ("kind","account_id")
);

-- CreateTable
CREATE TABLE "exports" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER,
    "kind" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "running_key" TEXT,
    "status" TEXT NOT NULL,
    "row_count" INTEGER NOT NULL DEFAULT 0,
    "total_rows" INTEGER NOT NULL DEFAULT 0,
    "object_key" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "exports_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "people_partner_id_idx" ON "people"("partner_id");

-- CreateIndex
CREATE UNIQUE INDEX "exports_running_key_key" ON "exports"("running_key");

-- CreateIndex
CREATE INDEX "exports_settled_at_heard_at_idx" ON "exports"("settled_at", "heard_at");

-- Row-level security of partners
ALTER TABLE "partners" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "partners" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "partners"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of people
ALTER TABLE "people" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "people" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "people"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of exports
ALTER TABLE "exports" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "exports" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "exports"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));
