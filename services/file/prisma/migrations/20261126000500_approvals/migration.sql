-- AlterTable
ALTER TABLE "audiences" ADD COLUMN     "fingerprint" DECIMAL(65,30) NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "delivery_settings" ADD COLUMN     "approval_required" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "versions" ADD COLUMN     "asked" JSONB;

-- CreateTable
CREATE TABLE "approvals" (
    "id" SERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "what" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "file_id" INTEGER,
    "file_name" TEXT,
    "version_id" INTEGER,
    "body" JSONB NOT NULL,
    "effect" JSONB,
    "effect_hash" TEXT,
    "asked_by" INTEGER NOT NULL,
    "asked_by_name" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by" INTEGER,
    "decided_by_name" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "comment" TEXT,

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "approvals_partner_id_id_idx" ON "approvals"("partner_id", "id");

-- CreateIndex
CREATE INDEX "approvals_partner_id_file_id_idx" ON "approvals"("partner_id", "file_id");

-- CreateIndex
CREATE INDEX "approvals_version_id_idx" ON "approvals"("version_id");

-- CreateIndex
CREATE INDEX "approvals_state_expires_at_idx" ON "approvals"("state", "expires_at");

-- CreateIndex
CREATE INDEX "people_partner_id_name_folded_user_id_idx" ON "people"("partner_id", "name_folded", "user_id");

-- Row-level security of approvals
ALTER TABLE "approvals" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "approvals" FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "approvals"
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Who is in an audience, as one number: the sum of a hash of each of its people. Whoever comes or goes makes it another.
CREATE FUNCTION fingerprint_of(user_id integer) RETURNS numeric LANGUAGE sql IMMUTABLE AS
    'SELECT hashint8extended(user_id::bigint, 20831126)::numeric';

CREATE FUNCTION fingerprint_people_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "audiences" audience SET fingerprint = audience.fingerprint + more.fingerprint
    FROM (SELECT audience_id, sum(fingerprint_of(user_id)) AS fingerprint FROM added WHERE audience_id IS NOT NULL GROUP BY 1) more
    WHERE audience.id = more.audience_id;
    RETURN NULL;
END
$$;
CREATE FUNCTION fingerprint_people_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "audiences" audience SET fingerprint = audience.fingerprint - gone.fingerprint
    FROM (SELECT audience_id, sum(fingerprint_of(user_id)) AS fingerprint FROM removed WHERE audience_id IS NOT NULL GROUP BY 1) gone
    WHERE audience.id = gone.audience_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER fingerprint_in_inserted AFTER INSERT ON "people" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION fingerprint_people_in();
CREATE TRIGGER fingerprint_in_updated AFTER UPDATE ON "people" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION fingerprint_people_in();
CREATE TRIGGER fingerprint_out_updated AFTER UPDATE ON "people" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION fingerprint_people_out();
CREATE TRIGGER fingerprint_out_deleted AFTER DELETE ON "people" REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION fingerprint_people_out();

UPDATE "audiences" audience SET fingerprint = known.fingerprint
FROM (SELECT audience_id, sum(fingerprint_of(user_id)) AS fingerprint FROM "people" WHERE audience_id IS NOT NULL GROUP BY 1) known
WHERE audience.id = known.audience_id;
