-- CreateEnum
CREATE TYPE "mail_status" AS ENUM ('waiting', 'sent', 'bounced');

-- CreateEnum
CREATE TYPE "bounce_kind" AS ENUM ('permanent', 'temporary');

-- CreateTable
CREATE TABLE "partners" (
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "lang" TEXT NOT NULL,

    CONSTRAINT "partners_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "mails" (
    "id" UUID NOT NULL,
    "partner_id" INTEGER,
    "sealed" TEXT,
    "status" "mail_status" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "requested_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bounces" (
    "mail_id" UUID NOT NULL,
    "partner_id" INTEGER,
    "email" TEXT NOT NULL,
    "kind" "bounce_kind" NOT NULL,
    "reason" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bounces_pkey" PRIMARY KEY ("mail_id")
);

-- CreateTable
CREATE TABLE "mailbox_entries" (
    "mail_id" UUID NOT NULL,
    "partner_id" INTEGER,
    "to" TEXT NOT NULL,
    "to_key" TEXT NOT NULL,
    "from" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mailbox_entries_pkey" PRIMARY KEY ("mail_id")
);

-- CreateIndex
CREATE INDEX "mails_due_at_idx" ON "mails"("due_at");

-- CreateIndex
CREATE INDEX "mails_requested_at_idx" ON "mails"("requested_at");

-- CreateIndex
CREATE INDEX "bounces_partner_id_occurred_at_idx" ON "bounces"("partner_id", "occurred_at");

-- CreateIndex
CREATE INDEX "mailbox_entries_to_key_mail_id_idx" ON "mailbox_entries"("to_key", "mail_id");

-- Row-level security of partners
ALTER TABLE "partners" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "partners" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "partners"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of mails
ALTER TABLE "mails" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "mails" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "mails"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of bounces
ALTER TABLE "bounces" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "bounces" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "bounces"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of mailbox_entries
ALTER TABLE "mailbox_entries" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "mailbox_entries" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "mailbox_entries"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));
