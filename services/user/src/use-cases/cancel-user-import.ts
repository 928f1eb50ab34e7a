import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { cancelImport, findImport, type ImportKey } from '../data/import-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/** Cancels an import. Throws `E40401` for one that the tenant does not have, `E40034` while or after it is worked on. */
export async function cancelUserImport(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  key: ImportKey,
): Promise<void> {
  await store.write(ofPartner(key.partnerId), async ({ db }) => {
    if (!(await findImport(db, key))) throw new AppError('E40401');
    if (!(await cancelImport(db, key, 'importCancelled', clock.now()))) throw new AppError('E40034');
  });
}
