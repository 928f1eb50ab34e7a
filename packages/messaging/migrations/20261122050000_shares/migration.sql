-- What is urgent leaves before all else. They are few at a time: an index of them alone.
ALTER TABLE messaging.outbox ADD COLUMN urgent boolean NOT NULL DEFAULT false;
CREATE INDEX outbox_urgent ON messaging.outbox (id) WHERE urgent;

CREATE INDEX inbox_live_of_handler ON messaging.inbox (handler, seq) WHERE status = 'live';
-- Or that index is sorted by key.
ALTER FUNCTION messaging.stands_first SET enable_incremental_sort = off;

-- As before, but for each handler by itself: a backlog of one holds up none of the others. Of each, live events that are due
-- at `at`, of `most_keys` keys the first `most_of_key` in a row, from those that no other stands before, `most_keys` of them
-- in all; none that is `in_hand` stands first.
CREATE OR REPLACE FUNCTION messaging.due_events(
  at timestamptz, handlers text[], in_hand bigint[], most_keys integer, most_of_key integer
) RETURNS TABLE (seq bigint, handler text, envelope jsonb, attempts integer, place bigint)
LANGUAGE sql STABLE
SET enable_sort = off SET enable_incremental_sort = off SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
  SELECT due.*
  FROM unnest(handlers) AS its (handler)
  CROSS JOIN LATERAL (
    SELECT next.seq, next.handler, next.envelope, next.attempts, next.place
    FROM (
      SELECT live.handler, live.key
      FROM (
        SELECT * FROM messaging.inbox WHERE inbox.handler = its.handler AND status = 'live'
        ORDER BY inbox.handler, inbox.seq OFFSET 0
      ) live
      WHERE live.available_at <= at AND live.seq <> ALL (in_hand)
        AND messaging.stands_first(live.handler, live.key, live.seq, '{}')
      ORDER BY live.seq LIMIT most_keys
    ) head
    CROSS JOIN LATERAL (
      SELECT inbox.*, row_number() OVER (ORDER BY inbox.handler, inbox.key, inbox.seq) AS place FROM messaging.inbox
      WHERE (inbox.handler, inbox.key, inbox.seq) >= (head.handler, head.key, 0)
        AND (inbox.handler, inbox.key, inbox.seq) <= (head.handler, head.key, 9223372036854775807)
        AND inbox.status = 'live' AND inbox.available_at <= at
      ORDER BY inbox.handler, inbox.key, inbox.seq LIMIT most_of_key
    ) next
    ORDER BY next.place, next.seq LIMIT most_keys
  ) due
$$;

DROP INDEX messaging.inbox_live_in_order;
