-- What a service sends and receives, beside its own tables so that both change in one transaction.
-- Not tenant data: the relay and the inbox work for every partner, so there is no row-level security here.
CREATE SCHEMA IF NOT EXISTS messaging;

-- Events waiting to be published. A published row is deleted: that is its mark.
CREATE TABLE messaging.outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic text NOT NULL,
    key text NOT NULL,
    envelope jsonb NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE FUNCTION messaging.wake_relay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('messaging_outbox', '');
    RETURN NULL;
END
$$;

CREATE TRIGGER outbox_wake_relay AFTER INSERT ON messaging.outbox
    FOR EACH STATEMENT EXECUTE FUNCTION messaging.wake_relay();

-- Events received, once for each handler that wants them.
CREATE TABLE messaging.inbox (
    handler text NOT NULL,
    event_id uuid NOT NULL,
    key text NOT NULL,
    envelope jsonb NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    status text NOT NULL DEFAULT 'live' CHECK (status IN ('live', 'done', 'dead')),
    attempts integer NOT NULL DEFAULT 0,
    available_at timestamptz NOT NULL,
    settled_at timestamptz,
    error text,
    PRIMARY KEY (handler, event_id)
);

CREATE INDEX inbox_live_in_order ON messaging.inbox (seq) WHERE status = 'live';
CREATE INDEX inbox_live_of_key ON messaging.inbox (handler, key, seq) WHERE status = 'live';
CREATE INDEX inbox_dead ON messaging.inbox (handler, seq) WHERE status = 'dead';
CREATE INDEX inbox_done ON messaging.inbox (settled_at) WHERE status = 'done';
