-- Nothing looks into an envelope while it waits: as JSON it is kept as it was written, where JSONB took each apart and put it together
-- again. A policy that reads a column keeps its type from being changed, and a service has policies of its own: all are made anew.
DO $$
DECLARE
    policy record;
    remade text := '';
BEGIN
    FOR policy IN SELECT * FROM pg_policies WHERE schemaname = 'messaging' AND tablename = 'outbox' LOOP
        remade := remade || format('CREATE POLICY %I ON messaging.outbox AS %s FOR %s TO %s',
                policy.policyname, policy.permissive, policy.cmd, array_to_string(policy.roles, ', '))
            || coalesce(' USING (' || policy.qual || ')', '')
            || coalesce(' WITH CHECK (' || policy.with_check || ')', '') || ';';
        EXECUTE format('DROP POLICY %I ON messaging.outbox', policy.policyname);
    END LOOP;
    ALTER TABLE messaging.outbox ALTER COLUMN envelope TYPE json USING envelope::text::json;
    EXECUTE remade;
END
$$;
