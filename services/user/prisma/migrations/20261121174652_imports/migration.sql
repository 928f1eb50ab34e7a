-- CreateTable
CREATE TABLE "user_imports" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "live" BOOLEAN,
    "status" TEXT NOT NULL,
    "preview" BOOLEAN NOT NULL,
    "phase" TEXT NOT NULL,
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "object_key" TEXT,
    "size" BIGINT,
    "row_count" INTEGER,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "create_count" INTEGER NOT NULL DEFAULT 0,
    "update_count" INTEGER NOT NULL DEFAULT 0,
    "unchanged_count" INTEGER NOT NULL DEFAULT 0,
    "delete_count" INTEGER NOT NULL DEFAULT 0,
    "error_count" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "failure_line" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_rows" (
    "import_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "email" TEXT,
    "email_key" TEXT,
    "login_user_id" TEXT,
    "login_user_id_key" TEXT,
    "sealed_password" TEXT,
    "password_hash" TEXT,
    "json" TEXT,
    "group_ids" INTEGER[],
    "deletes" BOOLEAN NOT NULL,
    "account_id" INTEGER,
    "action" TEXT,

    CONSTRAINT "import_rows_pkey" PRIMARY KEY ("import_id","line")
);

-- CreateTable
CREATE TABLE "import_errors" (
    "import_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "field" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "params" JSONB NOT NULL,

    CONSTRAINT "import_errors_pkey" PRIMARY KEY ("import_id","line","field")
);

-- CreateIndex
CREATE INDEX "user_imports_status_leased_until_idx" ON "user_imports"("status", "leased_until");

-- CreateIndex
CREATE INDEX "user_imports_updated_at_idx" ON "user_imports"("updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "user_imports_partner_id_live_key" ON "user_imports"("partner_id", "live");

-- Row-level security of user_imports
ALTER TABLE "user_imports" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "user_imports" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "user_imports"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of import_rows
ALTER TABLE "import_rows" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "import_rows" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "import_rows"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of import_errors
ALTER TABLE "import_errors" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "import_errors" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "import_errors"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Written once and read once: no log of it is worth its time, and a crash of the database only means to read the file again.
ALTER TABLE "import_rows" SET UNLOGGED;
