-- As before, but events behind one of their key are not looked at one by one: with many of few keys, each look went through all of
-- them. The first of each key among the nearest 1,000 events is the first of its key. Where those have too few keys that are due, since
-- one has very many events or has failed, up to 1,000 keys are gone through, one step of the index for each; where there are more, as
-- when all of them have failed, all events are read once, in the order of that index.
CREATE OR REPLACE FUNCTION messaging.due_events(
  at timestamptz, handlers text[], in_hand bigint[], most_keys integer, most_of_key integer
) RETURNS TABLE (seq bigint, handler text, envelope jsonb, attempts integer, place bigint)
LANGUAGE sql STABLE
SET enable_sort = off SET enable_incremental_sort = off SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
  SELECT due.*
  FROM unnest(handlers) AS its (handler)
  CROSS JOIN LATERAL (
    WITH RECURSIVE nearest AS MATERIALIZED (
      SELECT inbox.key, inbox.seq, inbox.available_at FROM messaging.inbox
      WHERE inbox.handler = its.handler AND inbox.status = 'live'
      ORDER BY inbox.handler, inbox.seq LIMIT 1000
    ),
    near AS MATERIALIZED (
      SELECT DISTINCT ON (nearest.key) nearest.* FROM nearest ORDER BY nearest.key, nearest.seq
    ),
    ready AS MATERIALIZED (
      SELECT near.key FROM near
      WHERE near.available_at <= at AND near.seq <> ALL (in_hand)
      ORDER BY near.seq LIMIT most_keys
    ),
    keys (key, seq, available_at, number) AS (
      (
        SELECT inbox.key, inbox.seq, inbox.available_at, 1 FROM messaging.inbox
        WHERE inbox.handler = its.handler AND inbox.status = 'live'
          AND (SELECT count(*) FROM nearest) = 1000 AND (SELECT count(*) FROM ready) < most_keys
        ORDER BY inbox.handler, inbox.key, inbox.seq LIMIT 1
      )
      UNION ALL
      SELECT next.*, keys.number + 1 FROM keys CROSS JOIN LATERAL (
        SELECT inbox.key, inbox.seq, inbox.available_at FROM messaging.inbox
        WHERE inbox.handler = its.handler AND inbox.key > keys.key AND inbox.status = 'live'
        ORDER BY inbox.handler, inbox.key, inbox.seq LIMIT 1
      ) next
      WHERE keys.number < 1000
    ),
    far AS MATERIALIZED (
      SELECT keys.key FROM keys
      WHERE keys.available_at <= at AND keys.seq <> ALL (in_hand) AND keys.key NOT IN (SELECT near.key FROM near)
      LIMIT most_keys
    ),
    farthest AS MATERIALIZED (
      SELECT head.key FROM (
        SELECT DISTINCT ON (inbox.key) inbox.key, inbox.seq, inbox.available_at FROM messaging.inbox
        WHERE inbox.handler = its.handler AND inbox.status = 'live'
          AND inbox.key > (SELECT keys.key FROM keys WHERE keys.number = 1000) AND (SELECT count(*) FROM far) < most_keys
        ORDER BY inbox.key, inbox.seq
      ) head
      WHERE head.available_at <= at AND head.seq <> ALL (in_hand) AND head.key NOT IN (SELECT near.key FROM near)
      LIMIT most_keys
    )
    SELECT next.seq, next.handler, next.envelope, next.attempts, next.place
    FROM (
      SELECT ready.key FROM ready UNION ALL SELECT far.key FROM far UNION ALL SELECT farthest.key FROM farthest
    ) head
    CROSS JOIN LATERAL (
      SELECT inbox.*, row_number() OVER (ORDER BY inbox.handler, inbox.key, inbox.seq) AS place FROM messaging.inbox
      WHERE (inbox.handler, inbox.key, inbox.seq) >= (its.handler, head.key, 0)
        AND (inbox.handler, inbox.key, inbox.seq) <= (its.handler, head.key, 9223372036854775807)
        AND inbox.status = 'live' AND inbox.available_at <= at
      ORDER BY inbox.handler, inbox.key, inbox.seq LIMIT most_of_key
    ) next
    ORDER BY next.place, next.seq LIMIT most_keys
  ) due
$$;
