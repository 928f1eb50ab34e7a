-- CreateEnum
CREATE TYPE "account_kind" AS ENUM ('admin', 'account');

-- CreateEnum
CREATE TYPE "session_client" AS ENUM ('admin', 'portal', 'player');

-- CreateTable
CREATE TABLE "admins" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" INTEGER NOT NULL,
    "unit_id" INTEGER,
    "password_hash" TEXT NOT NULL,
    "wrong_passwords" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "admins_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "units" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "units_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "partner_id" INTEGER,
    "account_kind" "account_kind" NOT NULL,
    "account_id" INTEGER NOT NULL,
    "client" "session_client" NOT NULL,
    "role" INTEGER NOT NULL,
    "unit_id" INTEGER,
    "platform_uuid" TEXT,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "login_user_id" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_endings" (
    "account_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "ending" SERIAL NOT NULL,

    CONSTRAINT "account_endings_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "signs_from" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateIndex
CREATE INDEX "sessions_account_kind_account_id_idx" ON "sessions"("account_kind", "account_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- Row-level security of sessions
ALTER TABLE "sessions" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "sessions" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "sessions"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of account_endings
ALTER TABLE "account_endings" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "account_endings" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "account_endings"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- An administrator's address is unique, ignoring case.
CREATE UNIQUE INDEX "admins_email_key" ON "admins"(lower("email"));
