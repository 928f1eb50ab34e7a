-- AlterTable
ALTER TABLE "partners" ADD COLUMN     "lang" TEXT;

-- CreateTable
CREATE TABLE "calendar_notifications" (
    "notification_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "file_id" INTEGER,

    CONSTRAINT "calendar_notifications_pkey" PRIMARY KEY ("notification_id")
);

-- CreateTable
CREATE TABLE "calendar_certifications" (
    "certification_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "calendar_certifications_pkey" PRIMARY KEY ("certification_id")
);

-- CreateTable
CREATE TABLE "calendar_tokens" (
    "partner_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "calendar_tokens_pkey" PRIMARY KEY ("partner_id","account_id")
);

-- CreateIndex
CREATE INDEX "calendar_notifications_partner_id_due_at_idx" ON "calendar_notifications"("partner_id", "due_at");

-- CreateIndex
CREATE INDEX "calendar_certifications_partner_id_ends_at_idx" ON "calendar_certifications"("partner_id", "ends_at");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_tokens_hash_key" ON "calendar_tokens"("hash");

-- CreateIndex
CREATE INDEX "versions_partner_id_live_from_idx" ON "versions"("partner_id", "live_from");

-- Row-level security of calendar_notifications
ALTER TABLE "calendar_notifications" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "calendar_notifications" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "calendar_notifications"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of calendar_certifications
ALTER TABLE "calendar_certifications" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "calendar_certifications" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "calendar_certifications"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of calendar_tokens
ALTER TABLE "calendar_tokens" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "calendar_tokens" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "calendar_tokens"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));
