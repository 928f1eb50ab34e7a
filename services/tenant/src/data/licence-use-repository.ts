import type { TenantDb } from './db.ts';

export interface LicenceHolder {
  readonly partnerId: number;
  readonly kind: 'user' | 'device';
  /** The id of the user, or the uuid of the device. */
  readonly holder: string;
}

/** One more takes a licence, unless it does already. */
export async function holdLicence(db: TenantDb, { holder, kind, partnerId }: LicenceHolder): Promise<void> {
  await db.$executeRaw`
    WITH added AS (
      INSERT INTO licence_holders (partner_id, kind, holder)
      VALUES (${partnerId}, ${kind}::licence_holder_kind, ${holder})
      ON CONFLICT DO NOTHING RETURNING 1
    )
    INSERT INTO licence_use (partner_id, kind, count)
    SELECT ${partnerId}, ${kind}::licence_holder_kind, 1 FROM added
    ON CONFLICT (partner_id, kind) DO UPDATE SET count = licence_use.count + 1`;
}

/** One less takes a licence, if it did. */
export async function freeLicence(db: TenantDb, { holder, kind, partnerId }: LicenceHolder): Promise<void> {
  await db.$executeRaw`
    WITH removed AS (
      DELETE FROM licence_holders
      WHERE partner_id = ${partnerId} AND kind = ${kind}::licence_holder_kind AND holder = ${holder}
      RETURNING 1
    )
    UPDATE licence_use SET count = count - 1
    WHERE partner_id = ${partnerId} AND kind = ${kind}::licence_holder_kind AND EXISTS (SELECT 1 FROM removed)`;
}
