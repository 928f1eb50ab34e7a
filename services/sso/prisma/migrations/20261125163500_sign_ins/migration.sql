-- CreateEnum
CREATE TYPE "saml_request_kind" AS ENUM ('signIn', 'test', 'logout');

-- CreateTable
CREATE TABLE "saml_requests" (
    "id" TEXT NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "kind" "saml_request_kind" NOT NULL,
    "redirect_url" TEXT,
    "code_challenge" TEXT,
    "test_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saml_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_codes" (
    "code_hash" BYTEA NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "code_challenge" TEXT,
    "name_id" TEXT NOT NULL,
    "name_id_format" TEXT,
    "session_index" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_codes_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
CREATE TABLE "seen_messages" (
    "partner_id" INTEGER NOT NULL,
    "message_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "seen_messages_pkey" PRIMARY KEY ("partner_id","message_hash")
);

-- CreateTable
CREATE TABLE "sso_sessions" (
    "session_id" UUID NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name_id" TEXT NOT NULL,
    "name_id_format" TEXT,
    "session_index" TEXT,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sso_sessions_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "sign_ins" (
    "id" BIGSERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "identifier" TEXT,
    "reason" TEXT,

    CONSTRAINT "sign_ins_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "setting_tests" (
    "id" UUID NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "session_id" UUID NOT NULL,
    "reached" BOOLEAN NOT NULL,
    "result" JSONB,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "setting_tests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "saml_requests_partner_id_expires_at_idx" ON "saml_requests"("partner_id", "expires_at");

-- CreateIndex
CREATE INDEX "saml_requests_expires_at_idx" ON "saml_requests"("expires_at");

-- CreateIndex
CREATE INDEX "sign_in_codes_expires_at_idx" ON "sign_in_codes"("expires_at");

-- CreateIndex
CREATE INDEX "seen_messages_expires_at_idx" ON "seen_messages"("expires_at");

-- CreateIndex
CREATE INDEX "sso_sessions_partner_id_name_id_idx" ON "sso_sessions"("partner_id", "name_id");

-- CreateIndex
CREATE INDEX "sso_sessions_ends_at_idx" ON "sso_sessions"("ends_at");

-- CreateIndex
CREATE INDEX "sign_ins_partner_id_id_idx" ON "sign_ins"("partner_id", "id");

-- CreateIndex
CREATE INDEX "setting_tests_session_id_idx" ON "setting_tests"("session_id");

-- CreateIndex
CREATE INDEX "setting_tests_expires_at_idx" ON "setting_tests"("expires_at");
