-- CreateTable
CREATE TABLE "partners" (
    "partner_id" INTEGER NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "contract_rank" TEXT NOT NULL,
    "license_expired_on" TEXT DEFAULT 'unknown',

    CONSTRAINT "partners_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "databases" (
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "contract_status" INTEGER NOT NULL,
    "start_date" TIMESTAMPTZ(3) NOT NULL,
    "expire_date" TIMESTAMPTZ(3) NOT NULL,
    "api_key" BYTEA NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "usage_bytes" BIGINT NOT NULL DEFAULT 0,
    "document_count" BIGINT NOT NULL DEFAULT 0,
    "changed_at" TIMESTAMPTZ(3),
    "measured_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "databases_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "database_revisions" (
    "partner_id" INTEGER NOT NULL,
    "revision" INTEGER NOT NULL,

    CONSTRAINT "database_revisions_pkey" PRIMARY KEY ("partner_id")
);

-- CreateIndex
CREATE INDEX "partners_unit_id_idx" ON "partners"("unit_id");

-- CreateIndex
CREATE UNIQUE INDEX "databases_name_key" ON "databases"("name");

-- CreateIndex
CREATE UNIQUE INDEX "databases_key_hash_key" ON "databases"("key_hash");

-- CreateIndex
CREATE INDEX "databases_measured_at_idx" ON "databases"("measured_at");
