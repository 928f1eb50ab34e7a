-- CreateTable
CREATE TABLE "provisioning_tokens" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "provisioning_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "provisioning_tokens_hash_key" ON "provisioning_tokens"("hash");

-- CreateIndex
CREATE INDEX "provisioning_tokens_partner_id_id_idx" ON "provisioning_tokens"("partner_id", "id");
