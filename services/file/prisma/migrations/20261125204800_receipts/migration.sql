-- CreateTable
CREATE TABLE "audiences" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "group_ids" INTEGER[],
    "people" INTEGER NOT NULL DEFAULT 0,
    "devices" INTEGER NOT NULL DEFAULT 0,
    "changes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "audiences_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "people" (
    "user_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "name_folded" TEXT NOT NULL,
    "login_id" TEXT NOT NULL,
    "login_folded" TEXT NOT NULL,
    "audience_id" INTEGER,

    CONSTRAINT "people_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "devices" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "name_folded" TEXT NOT NULL,
    "os_type" TEXT NOT NULL,
    "os_version" TEXT NOT NULL,
    "player_version" TEXT NOT NULL,
    "user_folded" TEXT NOT NULL,
    "login_folded" TEXT NOT NULL,
    "audience_id" INTEGER,

    CONSTRAINT "devices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "receipts" (
    "file_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "device_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "audience_id" INTEGER,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "progress" DOUBLE PRECISION,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "told_by" TEXT,

    CONSTRAINT "receipts_pkey" PRIMARY KEY ("file_id","version","device_id")
);

-- CreateTable
CREATE TABLE "delivery_counts" (
    "file_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "audience_id" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "changes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "delivery_counts_pkey" PRIMARY KEY ("file_id","version","audience_id","status","reason")
);

-- CreateTable
CREATE TABLE "early_receipts" (
    "id" BIGSERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "file_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "progress" DOUBLE PRECISION,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "told_by" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "early_receipts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "early_receipts_partner_id_user_id_uuid_idx" ON "early_receipts"("partner_id", "user_id", "uuid");

-- CreateIndex
CREATE INDEX "early_receipts_received_at_idx" ON "early_receipts"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "audiences_partner_id_group_ids_key" ON "audiences"("partner_id", "group_ids");

-- CreateIndex
CREATE INDEX "people_partner_id_audience_id_idx" ON "people"("partner_id", "audience_id");

-- CreateIndex
CREATE INDEX "devices_user_id_idx" ON "devices"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "devices_partner_id_uuid_key" ON "devices"("partner_id", "uuid");

-- CreateIndex
CREATE INDEX "receipts_device_id_idx" ON "receipts"("device_id");

-- What is counted, for the lists of devices: in each of their orders, with the audience, which tells whether a device is to have the file.
-- Texts are looked for in the first.
CREATE INDEX "devices_by_id_idx" ON "devices"("partner_id", "id")
  INCLUDE ("audience_id", "user_folded", "login_folded", "name_folded") WHERE "audience_id" IS NOT NULL;
CREATE INDEX "devices_by_user_idx" ON "devices"("partner_id", "user_folded", "id") INCLUDE ("audience_id")
  WHERE "audience_id" IS NOT NULL;
CREATE INDEX "devices_by_name_idx" ON "devices"("partner_id", "name_folded", "id") INCLUDE ("audience_id")
  WHERE "audience_id" IS NOT NULL;
CREATE INDEX "receipts_by_at_idx" ON "receipts"("partner_id", "file_id", "version", "at", "device_id")
  INCLUDE ("audience_id", "status") WHERE "audience_id" IS NOT NULL;
CREATE INDEX "receipts_by_status_idx" ON "receipts"("partner_id", "file_id", "version", "status", "at", "device_id")
  INCLUDE ("audience_id") WHERE "audience_id" IS NOT NULL;
CREATE INDEX "receipts_by_reason_idx" ON "receipts"("partner_id", "file_id", "version", "reason", "device_id")
  INCLUDE ("audience_id", "status") WHERE "audience_id" IS NOT NULL AND "reason" IS NOT NULL;

-- CreateIndex
CREATE INDEX "delivery_counts_partner_id_idx" ON "delivery_counts"("partner_id");

-- Lists are read from indexes alone, which is quick where vacuum has seen the pages of the table.
ALTER TABLE "devices" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
ALTER TABLE "receipts" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);

-- Row-level security of audiences
ALTER TABLE "audiences" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "audiences" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "audiences"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of people
ALTER TABLE "people" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "people" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "people"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of devices
ALTER TABLE "devices" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "devices" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "devices"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of receipts
ALTER TABLE "receipts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "receipts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "receipts"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of delivery_counts
ALTER TABLE "delivery_counts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "delivery_counts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "delivery_counts"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of early_receipts
ALTER TABLE "early_receipts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "early_receipts" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "early_receipts"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- The counts are kept by whoever writes what they count. Those who do so for one tenant go one after the other: the same lock as
-- `lockDelivery`, which they take before anything else. `changes` grows with every change: the same number means the same rows.
CREATE FUNCTION lock_delivery(partner integer) RETURNS void LANGUAGE sql AS
    'SELECT pg_advisory_xact_lock(20811125, partner)';

CREATE FUNCTION count_receipts_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "delivery_counts" AS known (partner_id, file_id, version, audience_id, status, reason, count, changes)
    SELECT partner_id, file_id, version, audience_id, status, CASE status WHEN 'failed' THEN coalesce(reason, '') ELSE '' END, count(*),
        count(*)
    FROM added WHERE audience_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 2, 3, 4, 5, 6
    ON CONFLICT (file_id, version, audience_id, status, reason) DO UPDATE SET count = known.count + excluded.count,
        changes = known.changes + excluded.changes;
    RETURN NULL;
END
$$;
CREATE FUNCTION count_receipts_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "delivery_counts" known SET count = known.count - gone.count, changes = known.changes + gone.count
    FROM (
        SELECT file_id, version, audience_id, status, CASE status WHEN 'failed' THEN coalesce(reason, '') ELSE '' END AS reason,
            count(*) AS count
        FROM removed WHERE audience_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5
    ) gone
    WHERE known.file_id = gone.file_id AND known.version = gone.version AND known.audience_id = gone.audience_id
        AND known.status = gone.status AND known.reason = gone.reason;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_in_inserted AFTER INSERT ON "receipts" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_receipts_in();
CREATE TRIGGER count_in_updated AFTER UPDATE ON "receipts" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_receipts_in();
CREATE TRIGGER count_out_updated AFTER UPDATE ON "receipts" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_receipts_out();
CREATE TRIGGER count_out_deleted AFTER DELETE ON "receipts" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_receipts_out();

CREATE FUNCTION count_people_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "audiences" audience SET people = audience.people + more.count
    FROM (SELECT audience_id, count(*) AS count FROM added WHERE audience_id IS NOT NULL GROUP BY 1) more
    WHERE audience.id = more.audience_id;
    RETURN NULL;
END
$$;
CREATE FUNCTION count_people_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "audiences" audience SET people = audience.people - gone.count
    FROM (SELECT audience_id, count(*) AS count FROM removed WHERE audience_id IS NOT NULL GROUP BY 1) gone
    WHERE audience.id = gone.audience_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_in_inserted AFTER INSERT ON "people" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_people_in();
CREATE TRIGGER count_in_updated AFTER UPDATE ON "people" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_people_in();
CREATE TRIGGER count_out_updated AFTER UPDATE ON "people" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_people_out();
CREATE TRIGGER count_out_deleted AFTER DELETE ON "people" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_people_out();

CREATE FUNCTION count_devices_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "audiences" audience SET devices = audience.devices + more.count, changes = audience.changes + more.count
    FROM (SELECT audience_id, count(*) AS count FROM added WHERE audience_id IS NOT NULL GROUP BY 1) more
    WHERE audience.id = more.audience_id;
    RETURN NULL;
END
$$;
CREATE FUNCTION count_devices_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "audiences" audience SET devices = audience.devices - gone.count, changes = audience.changes + gone.count
    FROM (SELECT audience_id, count(*) AS count FROM removed WHERE audience_id IS NOT NULL GROUP BY 1) gone
    WHERE audience.id = gone.audience_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_in_inserted AFTER INSERT ON "devices" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_devices_in();
CREATE TRIGGER count_in_updated AFTER UPDATE ON "devices" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_devices_in();
CREATE TRIGGER count_out_updated AFTER UPDATE ON "devices" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_devices_out();
CREATE TRIGGER count_out_deleted AFTER DELETE ON "devices" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_devices_out();
