-- Those of a deleted tenant are found by these.
-- CreateIndex
CREATE INDEX "account_endings_partner_id_idx" ON "account_endings"("partner_id");

-- CreateIndex
CREATE INDEX "known_devices_partner_id_idx" ON "known_devices"("partner_id");

-- CreateIndex
CREATE INDEX "password_links_partner_id_idx" ON "password_links"("partner_id");

-- CreateIndex
CREATE INDEX "preferences_partner_id_idx" ON "preferences"("partner_id");

-- CreateIndex
CREATE INDEX "recovery_codes_partner_id_idx" ON "recovery_codes"("partner_id");

-- CreateIndex
CREATE INDEX "two_factors_partner_id_idx" ON "two_factors"("partner_id");

-- Those of a deleted tenant that are still to be ended: the deletion of a session is by its end.
CREATE INDEX "sessions_live_of_partner_idx" ON "sessions"("partner_id") WHERE "revoked_at" IS NULL;
