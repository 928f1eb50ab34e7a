import { limits } from '@portal/contracts';
import type { RawQueries } from '@portal/database';
import type { IdentityDb } from './db.ts';
import type { LinkOwner } from './password-link-repository.ts';

/** Remembers a device of an account, which keeps the last few: whether it had others, and this one among those of late. */
export async function rememberDevice(
  db: RawQueries,
  { accountId, accountKind, partnerId }: LinkOwner,
  deviceHash: Buffer<ArrayBuffer>,
  now: Date,
): Promise<{ readonly hadSome: boolean; readonly hadThis: boolean }> {
  const since = new Date(now.getTime() - limits.knownDeviceRetention);
  const [before] = await db.$queryRaw<{ hadSome: boolean; hadThis: boolean }[]>`
    WITH remembered AS (
      INSERT INTO known_devices (account_kind, account_id, partner_id, device_hash, seen_at)
      VALUES (${accountKind}::account_kind, ${accountId}, ${partnerId}, ${deviceHash}, ${now})
      ON CONFLICT (account_kind, account_id, device_hash) DO UPDATE SET seen_at = EXCLUDED.seen_at)
    SELECT count(*) > 0 AS "hadSome",
      count(*) FILTER (WHERE device_hash = ${deviceHash} AND seen_at > ${since}) > 0 AS "hadThis"
    FROM known_devices WHERE account_kind = ${accountKind}::account_kind AND account_id = ${accountId}`;
  if (!before) throw new Error('The count was not returned');
  if (!before.hadThis) {
    await db.$executeRaw`
      DELETE FROM known_devices WHERE account_kind = ${accountKind}::account_kind AND account_id = ${accountId}
        AND device_hash IN (
          SELECT device_hash FROM known_devices
          WHERE account_kind = ${accountKind}::account_kind AND account_id = ${accountId}
          ORDER BY seen_at DESC OFFSET ${limits.knownDevicesPerAccount}::integer)`;
  }
  return before;
}

export async function forgetDevicesOf(db: IdentityDb, accountIds: readonly number[]): Promise<void> {
  await db.knownDevice.deleteMany({ where: { accountKind: 'account', accountId: { in: [...accountIds] } } });
}
