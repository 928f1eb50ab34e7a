-- Those of a deleted tenant are found by this.
-- CreateIndex
CREATE INDEX "ended_tokens_partner_id_idx" ON "ended_tokens"("partner_id");
