-- When the next delivery is due, of all tenants: most files have none ahead.
CREATE INDEX "files_coming_delivery_idx" ON "files"("deliver_reservation_at")
  WHERE "deliver_reservation_at" IS NOT NULL AND NOT "deleted";
