import type { SealedColumn } from '@portal/service-kit';
import type { IdentityDb } from './db.ts';
import type { SigningKey } from './generated/client.ts';

/** Each key is encrypted for its own id. */
export const sealedKeys: SealedColumn = {
  table: 'signing_keys',
  column: 'private_key',
  key: { kid: 'text' },
  of: (kid) => kid,
};

/** Holds off every other instance that wants to change the keys until the transaction ends. */
export async function lockKeys(db: IdentityDb): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('identity.signing_keys'))`;
}

export async function listKeys(db: IdentityDb): Promise<SigningKey[]> {
  return db.signingKey.findMany({ orderBy: { signsFrom: 'asc' } });
}

export async function insertKey(
  db: IdentityDb,
  key: Omit<SigningKey, 'privateKey'> & { readonly privateKey: Buffer<ArrayBuffer> },
): Promise<void> {
  await db.signingKey.create({ data: key });
}

export async function deleteKeys(db: IdentityDb, kids: readonly string[]): Promise<void> {
  await db.signingKey.deleteMany({ where: { kid: { in: [...kids] } } });
}
