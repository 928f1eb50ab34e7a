-- CreateTable
CREATE TABLE "reset_mails" (
    "account_kind" "account_kind" NOT NULL,
    "account_id" INTEGER NOT NULL,
    "partner_id" INTEGER,
    "sent_at" TIMESTAMPTZ(3)[],

    CONSTRAINT "reset_mails_pkey" PRIMARY KEY ("account_kind","account_id")
);

-- CreateTable
CREATE TABLE "known_devices" (
    "account_kind" "account_kind" NOT NULL,
    "account_id" INTEGER NOT NULL,
    "partner_id" INTEGER,
    "device_hash" BYTEA NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_devices_pkey" PRIMARY KEY ("account_kind","account_id","device_hash")
);

-- Row-level security of reset_mails
ALTER TABLE "reset_mails" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "reset_mails" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "reset_mails"
  USING ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'))
  WITH CHECK ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'));

-- Row-level security of known_devices
ALTER TABLE "known_devices" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "known_devices" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "known_devices"
  USING ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'))
  WITH CHECK ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system'));
