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

/** Sets which holders use a licence; of repeated holders, the last entry counts. A known holder changes nothing. */
export async function setLicences(
  db: TenantDb,
  changes: readonly (LicenceHolder & { readonly holds: boolean })[],
): Promise<void> {
  const last = new Map(
    changes.map((change) => [[change.partnerId, change.kind, change.holder].join(), change]),
  );
  const { added = [], removed = [] } = Object.groupBy(last.values(), ({ holds }) =>
    holds ? 'added' : 'removed',
  );
  if (added.length > 0) await holdLicences(db, added);
  if (removed.length > 0) await freeLicences(db, removed);
}

async function holdLicences(db: TenantDb, holders: readonly LicenceHolder[]): Promise<void> {
  await db.$executeRaw`
    WITH added AS (
      INSERT INTO licence_holders (partner_id, kind, holder)
      SELECT "partnerId", kind::licence_holder_kind, holder
      FROM jsonb_to_recordset(${JSON.stringify(holders)}::jsonb) AS one ("partnerId" integer, kind text, holder text)
      ORDER BY 1, 2, 3
      ON CONFLICT DO NOTHING RETURNING partner_id, kind
    )
    INSERT INTO licence_use (partner_id, kind, count)
    SELECT partner_id, kind, count(*) FROM added GROUP BY partner_id, kind ORDER BY partner_id, kind
    ON CONFLICT (partner_id, kind) DO UPDATE SET count = licence_use.count + EXCLUDED.count`;
}

async function freeLicences(db: TenantDb, holders: readonly LicenceHolder[]): Promise<void> {
  await db.$executeRaw`
    WITH removed AS (
      DELETE FROM licence_holders USING
        jsonb_to_recordset(${JSON.stringify(holders)}::jsonb) AS one ("partnerId" integer, kind text, holder text)
      WHERE licence_holders.partner_id = one."partnerId" AND licence_holders.kind = one.kind::licence_holder_kind
        AND licence_holders.holder = one.holder
      RETURNING licence_holders.partner_id, licence_holders.kind
    ), freed AS (
      SELECT partner_id, kind, count(*) AS count FROM removed GROUP BY partner_id, kind
    )
    UPDATE licence_use SET count = licence_use.count - freed.count
    FROM freed WHERE licence_use.partner_id = freed.partner_id AND licence_use.kind = freed.kind`;
}
