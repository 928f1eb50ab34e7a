import type { RouteInput } from '@portal/contracts';
import type { openUserImport as contract } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import {
  cancelImport,
  findLiveImport,
  forgetEarlierImports,
  insertImport,
} from '../data/import-repository.ts';
import { knowPartner } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * Begins an import, whose file is to come. It takes the place of one that still waits for its file, or for the word to be
 * applied. Throws `E40010` while one of the tenant is under way.
 */
export async function openUserImport(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  { openedBy, openedIn, partnerId, preview }: RouteInput<typeof contract>['body'],
): Promise<{ importId: number }> {
  const { clock, store } = deps;
  await knowPartner(deps, partnerId);
  return store.write(ofPartner(partnerId), async ({ db }) => {
    const now = clock.now();
    const earlier = await findLiveImport(db, partnerId);
    if (earlier && !(await cancelImport(db, earlier, 'importReplaced', now))) throw new AppError('E40010');
    await forgetEarlierImports(db, partnerId);
    const { id } = await insertImport(db, partnerId, { openedBy, openedIn, preview }, now);
    return { importId: id };
  });
}
