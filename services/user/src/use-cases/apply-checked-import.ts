import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findImport, type ImportKey, makeReady } from '../data/import-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * Confirms a checked import, which is applied if its counts still hold. Throws `E40401` for one that the tenant does
 * not have, `E40034` for any other.
 */
export async function applyCheckedImport(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  key: ImportKey,
): Promise<void> {
  await store.write(ofPartner(key.partnerId), async ({ db }) => {
    if (!(await findImport(db, key))) throw new AppError('E40401');
    const told = { confirmed: true, preview: false };
    if (!(await makeReady(db, key, 'checked', told, clock.now()))) throw new AppError('E40034');
  });
}
