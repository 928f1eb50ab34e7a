-- Notifications without a title come last in either order.
DROP INDEX "notifications_partner_id_title_key_id_idx";
CREATE INDEX "notifications_by_title" ON "notifications" ("partner_id", (nullif("title_key", '')), "id");
CREATE INDEX "notifications_by_title_from_its_end"
    ON "notifications" ("partner_id", (nullif("title_key", '')) DESC NULLS LAST, "id" DESC);
