import { documentEvents } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { insertDatabase } from '../data/database-repository.ts';
import { type DatabaseContract, includesDocuments, newDatabaseName } from '../domain/contract.ts';
import { newStoredKey } from './renew-key.ts';
import { tellDatabase } from './tell-database.ts';

type Needed = Pick<
  Dependencies,
  'cipher' | 'clock' | 'contractedQuota' | 'known' | 'peers' | 'seals' | 'store'
>;

/**
 * Makes the database of a partner. It exists in the engine as soon as it has a collection.
 * @throws AppError `E40304` where the contract of the partner does not include one; `E40002` on expireDate for one that is past;
 * `E40032` for a second one
 */
export async function createDatabase(
  deps: Needed,
  partnerId: number,
  contract: DatabaseContract,
): Promise<void> {
  const { cipher, clock, known, store } = deps;
  const { contractRank } = await knowPartner(deps, partnerId);
  if (!includesDocuments(contractRank)) throw new AppError('E40304');
  const now = clock.now();
  if (contract.expireDate <= now) throw fieldError('E40002', 'expireDate', 'futureTime');
  const { stored } = newStoredKey(cipher, partnerId);
  await store.write(ofPartner(partnerId), async (tx) => {
    const database = await insertDatabase(
      tx.db,
      { partnerId, name: newDatabaseName(partnerId), ...contract, ...stored },
      now,
    );
    await tellDatabase(deps, tx, database, documentEvents.databaseCreated);
  });
  known.forget(partnerId);
}
