-- What is due of each tenant: the job takes some of each in turn.
CREATE INDEX "removals_partner_id_due_at_idx" ON "removals"("partner_id", "due_at");
