-- The log of operations, a partition a month (in UTC). The service may write rows and nothing else, so that months come and
-- go through functions of the owner.
CREATE SCHEMA logs;

CREATE TABLE logs.operation_logs (
    at timestamptz(3) NOT NULL,
    event_id uuid NOT NULL,
    partner_id integer,
    account_kind text,
    account_id integer,
    role integer,
    address text NOT NULL,
    agent text NOT NULL,
    operation text NOT NULL,
    target text NOT NULL,
    result text NOT NULL,
    PRIMARY KEY (at, event_id)
) PARTITION BY RANGE (at);

CREATE INDEX operation_logs_of_partner ON logs.operation_logs (partner_id, at, event_id);

ALTER TABLE logs.operation_logs ENABLE ROW LEVEL SECURITY;
ALTER TABLE logs.operation_logs FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON logs.operation_logs
  USING ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer))
  WITH CHECK ((SELECT current_setting('app.scope', true)) = 'system'
    OR "partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer));

-- Makes the partition of a month where there is none. Attaching it keeps neither readers nor writers waiting, as making it
-- in place would.
CREATE FUNCTION logs.make_month(month date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    name text := 'operation_logs_' || to_char(month, 'YYYY_MM');
BEGIN
    IF to_regclass('logs.' || name) IS NOT NULL THEN RETURN; END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('logs.make_month', 0));
    IF to_regclass('logs.' || name) IS NOT NULL THEN RETURN; END IF;
    EXECUTE format('CREATE TABLE logs.%I (LIKE logs.operation_logs INCLUDING ALL)', name);
    -- Read and written through the whole alone, where the policy stands.
    EXECUTE format('ALTER TABLE logs.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE logs.operation_logs ATTACH PARTITION logs.%I FOR VALUES FROM (%L) TO (%L)',
        name, date_trunc('month', month), date_trunc('month', month) + interval '1 month');
END
$$;

-- Drops the months that were over at a time. @returns how many. It waits for no reader: the next call finds the rest.
CREATE FUNCTION logs.drop_months(before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s' AS $$
DECLARE
    name text;
    dropped integer := 0;
BEGIN
    FOR name IN
        SELECT child.relname FROM pg_inherits
        JOIN pg_class child ON child.oid = inhrelid
        WHERE inhparent = 'logs.operation_logs'::regclass
          AND to_date(right(child.relname, 7), 'YYYY_MM') + interval '1 month' <= before
    LOOP
        EXECUTE format('DROP TABLE logs.%I', name);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
$$;
