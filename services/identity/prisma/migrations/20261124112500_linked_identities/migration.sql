-- CreateTable
CREATE TABLE "linked_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,

    CONSTRAINT "linked_identities_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateTable
CREATE TABLE "identity_flows" (
    "state_hash" BYTEA NOT NULL,
    "provider" TEXT NOT NULL,
    "code_verifier" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "client_state" TEXT NOT NULL,
    "redirect_url" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_flows_pkey" PRIMARY KEY ("state_hash")
);

-- CreateIndex
CREATE INDEX "linked_identities_partner_id_account_id_idx" ON "linked_identities"("partner_id", "account_id");

-- CreateIndex
CREATE INDEX "identity_flows_expires_at_idx" ON "identity_flows"("expires_at");
