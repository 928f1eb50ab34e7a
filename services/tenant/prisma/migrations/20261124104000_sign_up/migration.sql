-- AlterTable
ALTER TABLE "partners" ADD COLUMN     "awaits_activation" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "sign_ups" (
    "partner_id" INTEGER NOT NULL,
    "contract_rank" "contract_rank" NOT NULL,
    "email" TEXT NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "tel" TEXT NOT NULL,
    "purpose" TEXT,
    "agreed_to_terms_at" TIMESTAMPTZ(3),
    "inherits_expiry" BOOLEAN NOT NULL,
    "opened_until" TIMESTAMPTZ(3),
    "token_hash" BYTEA,
    "token_until" TIMESTAMPTZ(3),
    "signed_up_at" TIMESTAMPTZ(3) NOT NULL,
    "activated_at" TIMESTAMPTZ(3),
    "delete_after" TIMESTAMPTZ(3),

    CONSTRAINT "sign_ups_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "sign_up_addresses" (
    "partner_id" INTEGER NOT NULL,
    "address_hash" BYTEA NOT NULL,
    "contract_rank" "contract_rank" NOT NULL,

    CONSTRAINT "sign_up_addresses_pkey" PRIMARY KEY ("partner_id")
);

-- CreateTable
CREATE TABLE "applications" (
    "application_id" INTEGER NOT NULL,
    "unit_id" INTEGER,

    CONSTRAINT "applications_pkey" PRIMARY KEY ("application_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sign_ups_token_hash_key" ON "sign_ups"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "sign_up_addresses_address_hash_contract_rank_key" ON "sign_up_addresses"("address_hash", "contract_rank");

-- CreateIndex
CREATE INDEX "sign_ups_delete_after_idx" ON "sign_ups"("delete_after");

-- What the administrators of a unit see of its partners.
CREATE POLICY "unit" ON "sign_ups" FOR SELECT
  USING (partner_id IN (SELECT partner_id FROM partners WHERE unit_id = (SELECT scope.genuine('unit'))));
