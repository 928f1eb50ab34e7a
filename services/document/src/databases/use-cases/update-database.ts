import { documentEvents } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { lockDatabase, saveDatabase } from '../data/database-repository.ts';
import type { DatabaseContract } from '../domain/contract.ts';
import { tellDatabase } from './tell-database.ts';

type Needed = Pick<
  Dependencies,
  'cipher' | 'clock' | 'contractedQuota' | 'known' | 'published' | 'seals' | 'store'
>;

/** Changes the contract of a database, in every instance when it resolves. Throws `E40401` where there is none. */
export async function updateDatabase(
  deps: Needed,
  partnerId: number,
  {
    contractStatus,
    expireDate,
  }: { readonly [F in keyof DatabaseContract]?: DatabaseContract[F] | undefined },
): Promise<void> {
  const { clock, known, published, store } = deps;
  await store.write(ofPartner(partnerId), async (tx) => {
    await lockDatabase(tx.db, partnerId);
    const database = await saveDatabase(tx.db, partnerId, {
      ...(contractStatus !== undefined && { contractStatus }),
      ...(expireDate && { expireDate }),
      updatedAt: clock.now(),
    });
    await tellDatabase(deps, tx, database, documentEvents.databaseUpdated);
  });
  known.forget(partnerId);
  await published();
}
