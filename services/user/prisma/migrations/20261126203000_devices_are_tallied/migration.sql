-- Whoever registers a device holds its tenant, and asks how many devices there are: a sum over a few slots tells it, whatever their number.
SELECT set_config('app.scope', 'system', true);

-- Between the counting of those that there are and the new triggers, there is no other.
LOCK TABLE "devices" IN SHARE ROW EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "user_tallies" ADD COLUMN "devices" INTEGER NOT NULL DEFAULT 0;

DROP FUNCTION tally_users(integer, bigint, bigint);
CREATE FUNCTION tally_users(
    of_partner integer, more_users bigint, more_inactive bigint DEFAULT 0, more_devices bigint DEFAULT 0
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO user_tallies AS tally (partner_id, slot, users, inactive, devices, changes)
    VALUES (of_partner, pg_backend_pid() % 256, more_users, more_inactive, more_devices, 1)
    ON CONFLICT (partner_id, slot)
    DO UPDATE SET users = tally.users + EXCLUDED.users, inactive = tally.inactive + EXCLUDED.inactive,
        devices = tally.devices + EXCLUDED.devices, changes = tally.changes + 1
$$;

CREATE OR REPLACE FUNCTION devices_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        PERFORM mark_accounts(ARRAY[OLD.account_id, NEW.account_id]);
        PERFORM tally_users(NEW.partner_id, 0);
    ELSE
        PERFORM mark_accounts(ARRAY(SELECT DISTINCT account_id FROM changed));
        PERFORM tally_users(partner_id, 0, 0, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
        FROM changed GROUP BY partner_id;
    END IF;
    RETURN NULL;
END;
$$;

-- What there is already.
SELECT tally_users(partner_id, 0, 0, count(*)) FROM devices GROUP BY partner_id;
