-- CreateTable
CREATE TABLE "password_links" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER,
    "account_kind" "account_kind",
    "account_id" INTEGER,
    "email" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_links_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "password_links_token_hash_key" ON "password_links"("token_hash");

-- CreateIndex
CREATE INDEX "password_links_expires_at_idx" ON "password_links"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "password_links_account_kind_account_id_key" ON "password_links"("account_kind", "account_id");

-- Row-level security of password_links
ALTER TABLE "password_links" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "password_links" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "password_links"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));
