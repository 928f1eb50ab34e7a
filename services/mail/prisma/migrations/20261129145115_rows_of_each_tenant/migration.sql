-- Those of a deleted tenant are found by these.
-- CreateIndex
CREATE INDEX "mailbox_entries_partner_id_idx" ON "mailbox_entries"("partner_id");

-- CreateIndex
CREATE INDEX "mails_partner_id_idx" ON "mails"("partner_id");
