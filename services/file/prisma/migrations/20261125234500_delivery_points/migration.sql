-- CreateTable
CREATE TABLE "delivery_changes" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,

    CONSTRAINT "delivery_changes_pkey" PRIMARY KEY ("partner_id","file_id")
);

-- CreateTable
CREATE TABLE "delivery_points" (
    "partner_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "devices" INTEGER NOT NULL,
    "installed" INTEGER NOT NULL,
    "on_the_way" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,

    CONSTRAINT "delivery_points_pkey" PRIMARY KEY ("partner_id","file_id","version","at")
);

-- Row-level security of delivery_changes
ALTER TABLE "delivery_changes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "delivery_changes" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "delivery_changes"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Row-level security of delivery_points
ALTER TABLE "delivery_points" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "delivery_points" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "delivery_points"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Whatever changes what is told of a file has its numbers kept by the job that looks at this table.
CREATE FUNCTION note_delivery_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "delivery_changes" (partner_id, file_id)
    SELECT DISTINCT partner_id, file_id FROM changed ORDER BY 1, 2
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER note_inserted AFTER INSERT ON "receipts" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_delivery_changes();
CREATE TRIGGER note_updated AFTER UPDATE ON "receipts" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_delivery_changes();
CREATE TRIGGER note_deleted AFTER DELETE ON "receipts" REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_delivery_changes();
