import { documentEvents } from '@portal/contracts';
import { type KeyCipher, ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { keyOf, lockDatabase, type StoredKey, saveDatabase } from '../data/database-repository.ts';
import { hashOf, makeKey } from '../domain/key.ts';
import { tellDatabase } from './tell-database.ts';

type Needed = Pick<
  Dependencies,
  'cipher' | 'clock' | 'contractedQuota' | 'known' | 'published' | 'seals' | 'store'
>;

/** Makes another key of a database; the old one stops in every instance before it resolves. Throws `E40401` where there is none. */
export async function renewKey(deps: Needed, partnerId: number): Promise<string> {
  const { cipher, clock, known, published, store } = deps;
  const { key, stored } = newStoredKey(cipher, partnerId);
  await store.write(ofPartner(partnerId), async (tx) => {
    await lockDatabase(tx.db, partnerId);
    const database = await saveDatabase(tx.db, partnerId, { ...stored, updatedAt: clock.now() });
    await tellDatabase(deps, tx, database, documentEvents.databaseUpdated);
  });
  known.forget(partnerId);
  await published();
  return key;
}

/** A new key, and what is kept of it. */
export function newStoredKey(
  cipher: KeyCipher,
  partnerId: number,
): { readonly key: string; readonly stored: StoredKey } {
  const key = makeKey();
  const keyHash = hashOf(key);
  if (!keyHash) throw new Error('A key that was made has another form');
  return { key, stored: { apiKey: cipher.seal(key, keyOf(partnerId)), keyHash } };
}
