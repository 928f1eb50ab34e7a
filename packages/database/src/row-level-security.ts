/**
 * Row-level security of tenant tables.
 *
 * Every table of tenant rows has a column `partner_id integer NOT NULL`, indexes that begin with it, and this
 * policy, which `new` of the command line appends to the migration that creates the table:
 *
 * ```sql
 * ALTER TABLE "files" ENABLE ROW LEVEL SECURITY;
 * ALTER TABLE "files" FORCE ROW LEVEL SECURITY;
 * CREATE POLICY "tenant" ON "files"
 *   USING ("partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
 *     OR (SELECT current_setting('app.scope', true) = 'system'))
 *   WITH CHECK (… the same …);
 * ```
 *
 * - The settings come from `createDatabase` and live as long as the transaction; without them no row is seen.
 * - The sub-selects run once per statement instead of once per row, and a tenant's rows pass by the first comparison.
 * - The policy filters rows but is no use to an index: a query for a tenant's rows says `partner_id = $1` too.
 * - FORCE binds the owner as well, so a migration that changes tenant rows begins with
 *   `SELECT set_config('app.scope', 'system', true);`.
 * - Foreign keys are checked without it: a reference between tenant rows must include `partner_id`, or the row
 *   referred to must have been read in the same transaction.
 */
export function tenantPolicySql(table: string): string {
  const name = quote(table);
  const mayUse = `"partner_id" = (SELECT nullif(current_setting('app.partner_id', true), '')::integer)
    OR (SELECT current_setting('app.scope', true) = 'system')`;
  return `-- Row-level security of ${table}
ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${name} FORCE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON ${name}
  USING (${mayUse})
  WITH CHECK (${mayUse});
`;
}

/** The tables with a `partner_id` that a migration written by Prisma creates. */
export function createdTenantTables(sql: string): string[] {
  return [...sql.matchAll(/^CREATE TABLE "([^"]+)" \(\n(.*?)^\);/gms)].flatMap(
    ([, table = '', columns = '']) => (/^\s*"partner_id" /m.test(columns) ? [table] : []),
  );
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
