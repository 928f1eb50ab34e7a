-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "two_factor_setup" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "two_factors" (
    "account_kind" "account_kind" NOT NULL,
    "account_id" INTEGER NOT NULL,
    "partner_id" INTEGER,
    "unit_id" INTEGER,
    "secret" BYTEA,
    "enabled_at" TIMESTAMPTZ(3),
    "last_step" INTEGER,
    "revision" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "two_factors_pkey" PRIMARY KEY ("account_kind","account_id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "account_kind" "account_kind" NOT NULL,
    "account_id" INTEGER NOT NULL,
    "partner_id" INTEGER,
    "unit_id" INTEGER,
    "code_hash" BYTEA NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("account_kind","account_id","code_hash")
);

-- CreateTable
CREATE TABLE "challenges" (
    "token_hash" BYTEA NOT NULL,
    "account_kind" "account_kind" NOT NULL,
    "account_id" INTEGER NOT NULL,
    "partner_id" INTEGER,
    "unit_id" INTEGER,
    "generation" INTEGER NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "challenges_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "security_settings" (
    "partner_id" INTEGER NOT NULL,
    "two_factor_required" BOOLEAN NOT NULL,

    CONSTRAINT "security_settings_pkey" PRIMARY KEY ("partner_id")
);

-- CreateIndex
CREATE INDEX "challenges_account_kind_account_id_idx" ON "challenges"("account_kind", "account_id");

-- CreateIndex
CREATE INDEX "challenges_expires_at_idx" ON "challenges"("expires_at");

-- The administrators of units see what the platform asks of them.
CREATE POLICY "unit" ON security_settings FOR SELECT
  USING (partner_id = 0 AND (SELECT scope.genuine('unit') IS NOT NULL));
