-- CreateTable
CREATE TABLE "document_databases" (
    "partner_id" INTEGER NOT NULL,
    "contract_status" INTEGER NOT NULL,
    "usage_bytes" BIGINT NOT NULL,
    "start_date" TIMESTAMPTZ(3) NOT NULL,
    "expire_date" TIMESTAMPTZ(3) NOT NULL,
    "api_key" BYTEA NOT NULL,

    CONSTRAINT "document_databases_pkey" PRIMARY KEY ("partner_id")
);
