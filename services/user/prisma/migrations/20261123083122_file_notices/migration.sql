-- CreateTable
CREATE TABLE "file_notices" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "file_name" TEXT NOT NULL,
    "told" INTEGER NOT NULL DEFAULT 0,
    "turn_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "file_notices_pkey" PRIMARY KEY ("partner_id","file_id","group_id")
);

-- CreateTable
CREATE TABLE "file_mails" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,

    CONSTRAINT "file_mails_pkey" PRIMARY KEY ("partner_id","file_id","account_id")
);

-- CreateIndex
CREATE INDEX "file_notices_turn_at_idx" ON "file_notices"("turn_at");

-- Row-level security of file_notices and file_mails
ALTER TABLE "file_notices" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "file_notices" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "file_notices"
  USING ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'))
  WITH CHECK ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'));
ALTER TABLE "file_mails" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "file_mails" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "file_mails"
  USING ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'))
  WITH CHECK ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'));
