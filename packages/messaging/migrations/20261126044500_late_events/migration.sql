-- Events that nobody waits for leave in a lane of their own, many at once. Each lane has an index: what waits in one is not gone
-- through for another.
ALTER TABLE messaging.outbox ADD COLUMN late boolean NOT NULL DEFAULT false;
CREATE INDEX outbox_late ON messaging.outbox (id) WHERE late;
CREATE INDEX outbox_rest ON messaging.outbox (id) WHERE NOT urgent AND NOT late;

-- Says to which lanes something was added.
CREATE OR REPLACE FUNCTION messaging.wake_relay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('messaging_outbox', lane) FROM (
        SELECT DISTINCT CASE WHEN urgent THEN 'urgent' WHEN late THEN 'late' ELSE 'rest' END AS lane FROM added
    ) lanes;
    RETURN NULL;
END
$$;

DROP TRIGGER outbox_wake_relay ON messaging.outbox;
CREATE TRIGGER outbox_wake_relay AFTER INSERT ON messaging.outbox REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION messaging.wake_relay();
