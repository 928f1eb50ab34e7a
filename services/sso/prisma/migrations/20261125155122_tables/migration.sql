-- CreateTable
CREATE TABLE "partners" (
    "partner_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "partner_code" TEXT NOT NULL,
    "contract_rank" TEXT NOT NULL,
    "license_expired_on" TEXT DEFAULT 'unknown',

    CONSTRAINT "partners_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "settings" (
    "partner_id" INTEGER NOT NULL,
    "entity_key" TEXT NOT NULL,
    "entity_id_suffix" TEXT,
    "login_url" TEXT,
    "metadata" TEXT NOT NULL,
    "metadata_url" TEXT,
    "metadata_fetched_at" TIMESTAMPTZ(3),
    "metadata_due_at" TIMESTAMPTZ(3),
    "metadata_tried_at" TIMESTAMPTZ(3),
    "provider" JSONB NOT NULL,
    "certificate_expires_at" TIMESTAMPTZ(3),
    "default_group" INTEGER,
    "group_attribute" TEXT,
    "username_attribute" TEXT,
    "use_sso" BOOLEAN NOT NULL,
    "sso_only" BOOLEAN NOT NULL,
    "last_login_at" TIMESTAMPTZ(3),
    "last_error_at" TIMESTAMPTZ(3),
    "last_error_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "setting_revisions" (
    "partner_id" INTEGER NOT NULL,
    "revision" INTEGER NOT NULL,

    CONSTRAINT "setting_revisions_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "service_provider_keys" (
    "partner_id" INTEGER NOT NULL,
    "certificate" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_provider_keys_pkey" PRIMARY KEY ("partner_id")
);

-- CreateIndex
CREATE INDEX "partners_partner_code_idx" ON "partners"("partner_code");

-- CreateIndex
CREATE UNIQUE INDEX "settings_entity_key_key" ON "settings"("entity_key");

-- CreateIndex
CREATE INDEX "settings_metadata_due_at_idx" ON "settings"("metadata_due_at");
