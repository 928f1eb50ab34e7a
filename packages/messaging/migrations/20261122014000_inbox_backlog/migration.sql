-- The inbox is empty at one moment and holds a hundred thousand live events at the next: whatever the planner knows of it is
-- of another moment, and the plans that are best for none go through all of them for each. Both functions read the index that
-- has their order, for to sort is what they may not.

-- Whether no live event of the same handler and key stands before this one, but those `beside` it.
CREATE FUNCTION messaging.stands_first(its_handler text, its_key text, its_seq bigint, beside uuid[]) RETURNS boolean
LANGUAGE sql STABLE
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
  SELECT (
    SELECT 1 FROM messaging.inbox
    WHERE (handler, key, seq) >= (its_handler, its_key, 0) AND (handler, key, seq) < (its_handler, its_key, its_seq)
      AND status = 'live' AND event_id <> ALL (beside)
    ORDER BY handler, key, seq LIMIT 1) IS NULL
$$;

-- Live events that are due at `at`, of `most_keys` handlers and keys the first `most_of_key` in a row, from those that no
-- other stands before; none that is `in_hand` stands first.
CREATE FUNCTION messaging.due_events(
  at timestamptz, handlers text[], in_hand bigint[], most_keys integer, most_of_key integer
) RETURNS TABLE (seq bigint, handler text, envelope jsonb, attempts integer, place bigint)
LANGUAGE sql STABLE
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
  SELECT next.seq, next.handler, next.envelope, next.attempts, next.place
  FROM (
    SELECT live.handler, live.key
    FROM (SELECT * FROM messaging.inbox WHERE status = 'live' ORDER BY seq OFFSET 0) live
    WHERE live.available_at <= at AND live.handler = ANY (handlers) AND live.seq <> ALL (in_hand)
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
$$;
