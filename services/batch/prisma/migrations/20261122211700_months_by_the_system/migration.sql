-- As before, but for the system alone: what runs as the owner must not do the bidding of a statement in the scope of a
-- tenant.

-- Makes the partition of a month where there is none. Attaching it keeps neither readers nor writers waiting, as making it
-- in place would.
CREATE OR REPLACE FUNCTION logs.make_month(month date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    name text := 'operation_logs_' || to_char(month, 'YYYY_MM');
BEGIN
    IF scope.genuine('system') IS NULL THEN
        RAISE insufficient_privilege USING MESSAGE = 'Months of the log are the business of the system';
    END IF;
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
CREATE OR REPLACE FUNCTION logs.drop_months(before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s' AS $$
DECLARE
    name text;
    dropped integer := 0;
BEGIN
    IF scope.genuine('system') IS NULL THEN
        RAISE insufficient_privilege USING MESSAGE = 'Months of the log are the business of the system';
    END IF;
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
