-- Provisioning makes users inactive: they stay, and take no licence. See docs/decisions/0072-provisioning.md.
SELECT set_config('app.scope', 'system', true);

-- AlterTable
ALTER TABLE "accounts"
  ADD COLUMN "active" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "external_id" TEXT,
  -- What they sign in with, whichever it is: provisioning knows but one name.
  ADD COLUMN "login_key" TEXT GENERATED ALWAYS AS (coalesce("email_key", "login_user_id_key")) STORED;
ALTER TABLE "groups"
  ADD COLUMN "external_id" TEXT,
  ADD COLUMN "members_revision" INTEGER NOT NULL DEFAULT 0;
-- The version before counts inactive users as well, which is never too few.
ALTER TABLE "user_tallies" ADD COLUMN "inactive" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "accounts_partner_id_external_id_idx" ON "accounts"("partner_id", "external_id") WHERE "external_id" IS NOT NULL;
CREATE INDEX "groups_partner_id_external_id_idx" ON "groups"("partner_id", "external_id") WHERE "external_id" IS NOT NULL;
-- They are few, and looked for among many.
CREATE INDEX "inactive_users_idx" ON "accounts"("partner_id", "id") WHERE "is_user" AND NOT "active";
-- Two more orders of the list.
CREATE INDEX "users_by_login_idx" ON "accounts"("partner_id", "login_key", "id") INCLUDE ("name_key") WHERE "is_user";
CREATE INDEX "users_by_updated_idx" ON "accounts"("partner_id", "updated_at", "id") WHERE "is_user";

DROP FUNCTION tally_users(integer, bigint);
CREATE FUNCTION tally_users(of_partner integer, more_users bigint, more_inactive bigint DEFAULT 0) RETURNS void LANGUAGE sql AS $$
    INSERT INTO user_tallies AS tally (partner_id, slot, users, inactive, changes)
    VALUES (of_partner, pg_backend_pid() % 256, more_users, more_inactive, 1)
    ON CONFLICT (partner_id, slot)
    DO UPDATE SET users = tally.users + EXCLUDED.users, inactive = tally.inactive + EXCLUDED.inactive,
        changes = tally.changes + 1
$$;

CREATE OR REPLACE FUNCTION accounts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM tally_users(partner_id, count(*) FILTER (WHERE is_user), count(*) FILTER (WHERE is_user AND NOT active))
        FROM after GROUP BY partner_id;
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM tally_users(partner_id, -count(*) FILTER (WHERE is_user), -count(*) FILTER (WHERE is_user AND NOT active))
        FROM before GROUP BY partner_id;
    ELSE
        -- Not so a sign-in.
        PERFORM tally_users(a.partner_id, sum(a.is_user::integer - b.is_user::integer),
            sum((a.is_user AND NOT a.active)::integer - (b.is_user AND NOT b.active)::integer))
        FROM before b JOIN after a ON a.id = b.id
        WHERE (a.is_user, a.active, a.external_id, a.name_key, a.email_key, a.login_user_id_key, a.created_at,
                a.updated_at, a.password_hash IS NULL)
            IS DISTINCT FROM (b.is_user, b.active, b.external_id, b.name_key, b.email_key, b.login_user_id_key,
                b.created_at, b.updated_at, b.password_hash IS NULL)
        GROUP BY a.partner_id;
    END IF;
    RETURN NULL;
END;
$$;

-- Which state of its members a group has. Nobody waits for another here: whoever changes members holds the tenant.
CREATE FUNCTION revise_members(group_ids integer[]) RETURNS void LANGUAGE sql AS $$
    UPDATE groups SET members_revision = members_revision + 1 WHERE id = ANY (group_ids)
$$;

CREATE OR REPLACE FUNCTION memberships_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM mark_accounts(ARRAY(SELECT DISTINCT account_id FROM changed));
    PERFORM revise_members(ARRAY(SELECT DISTINCT group_id FROM changed ORDER BY 1));
    PERFORM tally_users(partner_id, 0) FROM changed GROUP BY partner_id;
    RETURN NULL;
END;
$$;
