import type { Owner } from '../domain/owner.ts';
import type { IdentityDb } from './db.ts';

/** The JSON text that was stored; null before the first. */
export async function findPreferences(
  db: IdentityDb,
  { accountId, accountKind }: Owner,
): Promise<string | null> {
  const found = await db.preferences.findUnique({
    where: { accountKind_accountId: { accountKind, accountId } },
  });
  return found?.json ?? null;
}

export async function replacePreferences(db: IdentityDb, owner: Owner, json: string): Promise<void> {
  const { accountId, accountKind, partnerId, unitId } = owner;
  await db.$executeRaw`
    INSERT INTO preferences (account_kind, account_id, partner_id, unit_id, json)
    VALUES (${accountKind}::account_kind, ${accountId}, ${partnerId}, ${unitId}, ${json})
    ON CONFLICT (account_kind, account_id) DO UPDATE SET json = EXCLUDED.json`;
}

export async function forgetPreferencesOf(db: IdentityDb, accountIds: readonly number[]): Promise<void> {
  await db.preferences.deleteMany({ where: { accountKind: 'account', accountId: { in: [...accountIds] } } });
}
