import type { RouteInput, userRoutes } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findImport, type ImportKey, makeReady } from '../data/import-repository.ts';
import type { Dependencies } from '../dependencies.ts';

type Confirmation = Pick<RouteInput<typeof userRoutes.applyUserImport>['body'], 'deleteCount' | 'sendMails'>;

/**
 * Confirms a checked import, which is applied if it still does what was shown. Throws `E40401` for one that the tenant does not
 * have, `E40034` for any other; on deleteCount `E40003` where it deletes somebody and the caller does not say how many,
 * `E40034` where it deletes another number: then it stays checked.
 */
export async function applyCheckedImport(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  key: ImportKey,
  { deleteCount, sendMails }: Confirmation,
): Promise<void> {
  await store.write(ofPartner(key.partnerId), async ({ db }) => {
    const found = await findImport(db, key);
    if (!found) throw new AppError('E40401');
    if (found.status !== 'checked') throw new AppError('E40034');
    if (deleteCount === undefined && found.deleteCount > 0) {
      throw fieldError('E40003', 'deleteCount', 'deleteCountRequired');
    }
    if (deleteCount !== undefined && deleteCount !== found.deleteCount) {
      throw fieldError('E40034', 'deleteCount', 'deleteCountDiffers');
    }
    const told = { confirmed: true, preview: false, sendMails };
    // Of two at once the second finds it confirmed.
    if (!(await makeReady(db, key, 'checked', told, clock.now()))) throw new AppError('E40034');
  });
}
