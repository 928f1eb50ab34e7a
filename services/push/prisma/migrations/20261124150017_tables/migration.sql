-- CreateTable
CREATE TABLE "partners" (
    "partner_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "contract_rank" TEXT NOT NULL,
    "license_expired_on" TEXT DEFAULT 'unknown',
    "lang" TEXT NOT NULL,

    CONSTRAINT "partners_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "certifications" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT,
    "name_key" TEXT NOT NULL,
    "project_id" TEXT,
    "certification_file_name" TEXT,
    "certificate" TEXT,
    "topic" TEXT,
    "certificate_expires_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "certifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "certification_secrets" (
    "certification_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "api_key" BYTEA,
    "private_key" BYTEA,

    CONSTRAINT "certification_secrets_pkey" PRIMARY KEY ("certification_id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER,
    "title" TEXT,
    "title_key" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "json" TEXT,
    "certification_id" INTEGER,
    "target" TEXT NOT NULL,
    "group_ids" INTEGER[],
    "user_ids" INTEGER[],
    "status" TEXT NOT NULL,
    "deliver_datetime" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "target_count" INTEGER NOT NULL DEFAULT 0,
    "success_count" INTEGER NOT NULL DEFAULT 0,
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "failure_reasons" JSONB NOT NULL DEFAULT '[]',
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "certifications_partner_id_updated_at_id_idx" ON "certifications"("partner_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "certifications_partner_id_id_key" ON "certifications"("partner_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "certifications_partner_id_name_key_key" ON "certifications"("partner_id", "name_key");

-- CreateIndex
CREATE INDEX "notifications_partner_id_title_key_id_idx" ON "notifications"("partner_id", "title_key", "id");

-- CreateIndex
CREATE INDEX "notifications_partner_id_status_id_idx" ON "notifications"("partner_id", "status", "id");

-- CreateIndex
CREATE INDEX "notifications_partner_id_due_at_id_idx" ON "notifications"("partner_id", "due_at", "id");

-- CreateIndex
CREATE INDEX "notifications_partner_id_created_at_id_idx" ON "notifications"("partner_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "notifications_certification_id_status_idx" ON "notifications"("certification_id", "status");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_partner_id_id_key" ON "notifications"("partner_id", "id");

-- Every tenant may read of the operator's certification, partner 0, which it uses where it has none of its own: not its secrets,
-- which stand apart.
CREATE POLICY "operator" ON "certifications" FOR SELECT
    USING ("partner_id" = 0 AND (SELECT scope.genuine('partner')) IS NOT NULL);
