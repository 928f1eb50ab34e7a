-- Row-level security of every table: see docs/decisions/0006-row-level-security-by-transaction.md. The schema and its keys
-- are there already: whoever makes the roles makes them.

-- The id of the scope of this transaction, if it is of this kind; else null. The service's role may set app.scope
-- ('kind id signature') as it likes, but cannot sign: HMAC-SHA256 over 'backend kind id', so that a signature serves on its
-- own connection alone. What is not genuine is an error, the one of a server that does not take connections yet: a process
-- whose key is no longer known then refuses, and takes no row for missing. Who may act for the owner anyway, as migrations
-- do, needs no signature. Only the leader of a parallel query has the right backend: hence the restriction. To the planner it
-- costs as little as a look at a setting, which is what plans were tuned with.
CREATE FUNCTION scope.genuine(kind text) RETURNS integer
LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL RESTRICTED COST 1 SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    given text[] := string_to_array(current_setting('app.scope', true), ' ');
BEGIN
    IF given[1] IS DISTINCT FROM kind THEN RETURN NULL; END IF;
    IF session_user <> current_user
        AND NOT EXISTS (
            SELECT FROM scope.keys
            WHERE (ends_at IS NULL OR ends_at > now())
                AND given[3] = encode(sha256(outer_pad || sha256(inner_pad
                    || convert_to(pg_backend_pid() || ' ' || given[1] || ' ' || given[2], 'UTF8'))), 'hex'))
        AND NOT pg_has_role(session_user, current_user, 'MEMBER')
    THEN
        RAISE cannot_connect_now USING MESSAGE = 'The scope of the transaction is not signed';
    END IF;
    RETURN coalesce(given[2], '0')::integer;
END
$$;

-- Puts every table of the owner under the policies that its columns ask for, and does nothing where they are there: a
-- partner sees its rows, a unit those that name it, the system all; rows that name neither are the system's alone. Runs
-- after every migration, in its transaction. Policies of other names are the business of migrations.
--
-- The sub-selects run once per statement instead of once per row, and a tenant's rows pass by the first comparison:
-- policies apply in the order of their names. They filter rows but are no use to an index, so that a query for a tenant's
-- rows says `partner_id = $1` too. Foreign keys are checked without them: a reference between rows of tenants must include
-- `partner_id`, or the row referred to must have been read in the same transaction.
CREATE FUNCTION scope.guard() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    guarded record;
    policy record;
    grantee regrole;
BEGIN
    FOR guarded IN
        SELECT pg_class.oid, pg_class.oid::regclass AS name, relispartition, relrowsecurity, relforcerowsecurity
        FROM pg_class
        WHERE relkind IN ('r', 'p') AND relowner = current_user::regrole
            AND relnamespace <> 'scope'::regnamespace AND relname <> '_prisma_migrations'
    LOOP
        IF NOT guarded.relrowsecurity THEN
            EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', guarded.name);
        END IF;
        -- Read and written through the whole alone, where the policies stand.
        CONTINUE WHEN guarded.relispartition;
        IF NOT guarded.relforcerowsecurity THEN
            EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', guarded.name);
        END IF;
        -- What stood here before scopes were signed.
        IF EXISTS (SELECT FROM pg_policy WHERE polrelid = guarded.oid AND polname = 'tenant') THEN
            EXECUTE format('DROP POLICY "tenant" ON %s', guarded.name);
        END IF;
        FOR policy IN
            SELECT wanted.name, wanted.may_use
            FROM (VALUES
                ('partner', 'partner_id', '"partner_id" = (SELECT scope.genuine(''partner''))'),
                ('unit', 'unit_id', '"unit_id" = (SELECT scope.genuine(''unit''))'),
                ('system', NULL, '(SELECT scope.genuine(''system'') IS NOT NULL)')
            ) AS wanted (name, its_column, may_use)
            WHERE NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = guarded.oid AND polname = wanted.name)
                AND (its_column IS NULL OR EXISTS (
                    SELECT FROM pg_attribute WHERE attrelid = guarded.oid AND attname = its_column AND NOT attisdropped))
        LOOP
            EXECUTE format('CREATE POLICY %I ON %s USING (%s) WITH CHECK (%s)',
                policy.name, guarded.name, policy.may_use, policy.may_use);
        END LOOP;
    END LOOP;

    -- Migrations are the owner's business; a service looks which there are, before it starts.
    FOR grantee IN
        SELECT DISTINCT granted.grantee FROM pg_class, aclexplode(relacl) AS granted
        WHERE pg_class.oid = to_regclass('public._prisma_migrations') AND granted.grantee <> relowner
    LOOP
        EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON public._prisma_migrations FROM %s', grantee);
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION scope.guard() FROM PUBLIC;
