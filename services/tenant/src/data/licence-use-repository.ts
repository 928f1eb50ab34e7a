import type { TenantDb } from './db.ts';

export interface LicenceHolder {
  readonly partnerId: number;
  readonly kind: 'user' | 'device';
  /** The id of the user, or the uuid of the device. */
  readonly holder: string;
}

/** How many users or devices of a partner take a licence, where licences count them. */
export async function licencesInUse(
  db: TenantDb,
  partnerId: number,
  kind: LicenceHolder['kind'],
): Promise<number> {
  const use = await db.licenceUse.findUnique({ where: { partnerId_kind: { partnerId, kind } } });
  return use?.count ?? 0;
}

/**
 * Sets which users and devices there are: active ones take a licence, inactive ones none. Of repeated ones the last entry counts;
 * what is known changes nothing.
 */
export async function setLicences(
  db: TenantDb,
  changes: readonly (LicenceHolder & { readonly becomes: 'active' | 'inactive' | 'gone' })[],
): Promise<void> {
  const last = new Map(
    changes.map((change) => [[change.partnerId, change.kind, change.holder].join(), change]),
  );
  const { gone = [], kept = [] } = Object.groupBy(last.values(), ({ becomes }) =>
    becomes === 'gone' ? 'gone' : 'kept',
  );
  if (kept.length > 0) {
    const holders = kept.map(({ becomes, ...holder }) => ({ ...holder, active: becomes === 'active' }));
    await keepHolders(db, holders);
  }
  if (gone.length > 0) await dropHolders(db, gone);
}

/** A row that was there is answered only where it has changed: it was the other one before. */
async function keepHolders(
  db: TenantDb,
  holders: readonly (LicenceHolder & { readonly active: boolean })[],
): Promise<void> {
  await db.$executeRaw`
    WITH kept AS (
      INSERT INTO licence_holders AS known (partner_id, kind, holder, active)
      SELECT "partnerId", kind::licence_holder_kind, holder, active
      FROM jsonb_to_recordset(${JSON.stringify(holders)}::jsonb) AS one (
        "partnerId" integer, kind text, holder text, active boolean)
      ORDER BY 1, 2, 3
      ON CONFLICT (partner_id, kind, holder) DO UPDATE SET active = EXCLUDED.active
      WHERE known.active <> EXCLUDED.active
      RETURNING partner_id, kind, active, xmax = 0 AS is_new
    ), changed AS (
      SELECT partner_id, kind, sum(CASE WHEN active THEN 1 WHEN is_new THEN 0 ELSE -1 END) AS more
      FROM kept GROUP BY partner_id, kind
    )
    INSERT INTO licence_use (partner_id, kind, count)
    SELECT partner_id, kind, more FROM changed WHERE more <> 0 ORDER BY partner_id, kind
    ON CONFLICT (partner_id, kind) DO UPDATE SET count = licence_use.count + EXCLUDED.count`;
}

async function dropHolders(db: TenantDb, holders: readonly LicenceHolder[]): Promise<void> {
  await db.$executeRaw`
    WITH removed AS (
      DELETE FROM licence_holders USING
        jsonb_to_recordset(${JSON.stringify(holders)}::jsonb) AS one ("partnerId" integer, kind text, holder text)
      WHERE licence_holders.partner_id = one."partnerId" AND licence_holders.kind = one.kind::licence_holder_kind
        AND licence_holders.holder = one.holder
      RETURNING licence_holders.partner_id, licence_holders.kind, licence_holders.active
    ), freed AS (
      SELECT partner_id, kind, count(*) AS count FROM removed WHERE active GROUP BY partner_id, kind
    )
    UPDATE licence_use SET count = licence_use.count - freed.count
    FROM freed WHERE licence_use.partner_id = freed.partner_id AND licence_use.kind = freed.kind`;
}
