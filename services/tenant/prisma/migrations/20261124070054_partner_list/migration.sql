-- CreateIndex
CREATE INDEX "partners_contract_rank_partner_id_idx" ON "partners"("contract_rank", "partner_id");

-- CreateIndex
CREATE INDEX "partners_license_type_partner_id_idx" ON "partners"("license_type", "partner_id");

-- CreateIndex
CREATE INDEX "partners_license_count_partner_id_idx" ON "partners"("license_count", "partner_id");

-- CreateIndex
CREATE INDEX "partners_bounce_count_partner_id_idx" ON "partners"("bounce_count", "partner_id");

-- CreateIndex
CREATE INDEX "partners_by_end_desc_idx" ON "partners"("license_expired_on" DESC NULLS LAST, "partner_id" DESC);

-- CreateIndex
CREATE INDEX "partners_in_numbers_idx" ON "partners"("unit_id", "contract_rank", "license_type", "license_count", "license_expired_on", "created_at", "partner_id");
