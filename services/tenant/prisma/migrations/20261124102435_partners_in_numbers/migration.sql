-- Lists of partners from indexes alone, and the partners of each unit in numbers. What there is of all units is counted once.
SELECT set_config('app.scope', 'system', true);

-- DropIndex
DROP INDEX "partners_bounce_count_partner_id_idx";
DROP INDEX "partners_by_end_desc_idx";
DROP INDEX "partners_contract_rank_partner_id_idx";
DROP INDEX "partners_created_at_partner_id_idx";
DROP INDEX "partners_in_numbers_idx";
DROP INDEX "partners_license_count_partner_id_idx";
DROP INDEX "partners_license_expired_on_partner_id_idx";
DROP INDEX "partners_license_type_partner_id_idx";
DROP INDEX "partners_name_key_partner_id_idx";

-- CreateTable
CREATE TABLE "unit_counts" (
    "id" SERIAL NOT NULL,
    "unit_id" INTEGER NOT NULL,
    "contract_rank" "contract_rank" NOT NULL,
    "license_type" "license_type" NOT NULL,
    "partners" INTEGER NOT NULL,
    "licences" INTEGER NOT NULL,
    "in_use" INTEGER NOT NULL,

    CONSTRAINT "unit_counts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "partners_in_lists_idx" ON "partners"("unit_id", "contract_rank", "license_type", "license_count", "license_expired_on", "created_at", "bounce_count", "name_key", "partner_code_key", "partner_id");

-- CreateIndex
CREATE INDEX "partners_by_id_idx" ON "partners"("partner_id", "unit_id", "contract_rank", "license_type");

-- CreateIndex
CREATE INDEX "partners_by_name_idx" ON "partners"("name_key", "partner_id", "unit_id", "contract_rank", "license_type");

-- CreateIndex
CREATE INDEX "partners_by_code_idx" ON "partners"("partner_code_key", "partner_id", "unit_id", "contract_rank", "license_type");

-- CreateIndex
CREATE INDEX "partners_by_rank_idx" ON "partners"("contract_rank", "partner_id", "unit_id", "license_type");

-- CreateIndex
CREATE INDEX "partners_by_licence_type_idx" ON "partners"("license_type", "partner_id", "unit_id", "contract_rank");

-- CreateIndex
CREATE INDEX "partners_by_licences_idx" ON "partners"("license_count", "partner_id", "unit_id", "contract_rank", "license_type");

-- CreateIndex
CREATE INDEX "partners_by_end_idx" ON "partners"("license_expired_on", "partner_id", "unit_id", "contract_rank", "license_type");

-- CreateIndex
CREATE INDEX "partners_by_end_desc_idx" ON "partners"("license_expired_on" DESC NULLS LAST, "partner_id" DESC, "unit_id", "contract_rank", "license_type");

-- CreateIndex
CREATE INDEX "partners_by_bounces_idx" ON "partners"("bounce_count", "partner_id", "unit_id", "contract_rank", "license_type");

-- CreateIndex
CREATE INDEX "partners_by_creation_idx" ON "partners"("created_at", "partner_id", "unit_id", "contract_rank", "license_type");

INSERT INTO "unit_counts" ("unit_id", "contract_rank", "license_type", "partners", "licences", "in_use")
SELECT p.unit_id, p.contract_rank, p.license_type, count(*), sum(p.license_count), coalesce(sum(u.count), 0)
FROM partners p
LEFT JOIN licence_use u ON u.partner_id = p.partner_id AND u.kind::text = p.license_type::text
GROUP BY 1, 2, 3;

-- Adds a partner, or with -1 takes it away.
CREATE FUNCTION add_to_unit_counts(partner partners, sign integer) RETURNS void LANGUAGE sql AS $$
    INSERT INTO unit_counts (unit_id, contract_rank, license_type, partners, licences, in_use)
    SELECT partner.unit_id, partner.contract_rank, partner.license_type, sign, sign * partner.license_count,
        sign * coalesce((
            SELECT count FROM licence_use
            WHERE partner_id = partner.partner_id AND kind::text = partner.license_type::text), 0)
$$;

CREATE FUNCTION count_partner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN PERFORM add_to_unit_counts(OLD, -1); END IF;
    IF TG_OP <> 'DELETE' THEN PERFORM add_to_unit_counts(NEW, 1); END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER "counted" AFTER INSERT OR DELETE ON "partners" FOR EACH ROW EXECUTE FUNCTION count_partner();
CREATE TRIGGER "counted_anew" AFTER UPDATE ON "partners" FOR EACH ROW
  WHEN ((OLD.unit_id, OLD.contract_rank, OLD.license_type, OLD.license_count)
    IS DISTINCT FROM (NEW.unit_id, NEW.contract_rank, NEW.license_type, NEW.license_count))
  EXECUTE FUNCTION count_partner();

-- A change of the partner waits until this is committed, or this until that is: either sees the other. So the partner is locked
-- before it is looked at. Of one that is deleted nothing counts any more.
CREATE FUNCTION count_licence_use() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    more integer := coalesce(NEW.count, 0) - coalesce(OLD.count, 0);
    partner partners;
BEGIN
    SELECT * INTO partner FROM partners WHERE partner_id = coalesce(NEW.partner_id, OLD.partner_id) FOR SHARE;
    IF FOUND AND more <> 0 AND partner.license_type::text = coalesce(NEW.kind, OLD.kind)::text THEN
        INSERT INTO unit_counts (unit_id, contract_rank, license_type, partners, licences, in_use)
        VALUES (partner.unit_id, partner.contract_rank, partner.license_type, 0, 0, more);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER "counted" AFTER INSERT OR UPDATE OR DELETE ON "licence_use"
  FOR EACH ROW EXECUTE FUNCTION count_licence_use();

-- What people of a tenant do, and the deletion of a tenant, change the numbers of its unit.
CREATE POLICY "partner" ON "unit_counts" FOR INSERT
  WITH CHECK (unit_id IN (SELECT unit_id FROM partner_units WHERE partner_id = (SELECT scope.genuine('partner'))));
