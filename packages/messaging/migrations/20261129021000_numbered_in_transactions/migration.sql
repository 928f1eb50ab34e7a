-- A transaction that appends has its number before its events have their ids. So whoever looks at a moment at which an id is there knows
-- that a lower one that is not can only come from a transaction that runs at that moment: once all of these are over, the relay
-- begins to read above it, and does not go through the rows that it has deleted.
CREATE FUNCTION messaging.number_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_current_xact_id();
    RETURN NULL;
END
$$;

CREATE TRIGGER outbox_number_transaction BEFORE INSERT ON messaging.outbox
    FOR EACH STATEMENT EXECUTE FUNCTION messaging.number_transaction();
