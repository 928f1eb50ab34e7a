-- How much the relay reads at once is bounded by bytes, too. Of a large envelope, which is compressed elsewhere, only reading it would
-- tell how long it is; when it is written, it is at hand.
ALTER TABLE messaging.outbox ADD COLUMN bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(envelope::text)) STORED;
