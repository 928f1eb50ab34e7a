import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../../files/data/changes.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import type { Conduct, Waiting } from './conduct.ts';

/** Runs `work` as one change of the tenant, in the way of `conduct`; without one it is just made. */
export async function changeDelivery<T>(
  deps: Pick<Dependencies, 'store' | 'watch'>,
  partnerId: number,
  conduct: Conduct | undefined,
  work: (change: Change) => Promise<T>,
): Promise<T | Waiting> {
  return changeFiles(deps, partnerId, async (change) =>
    conduct ? conduct.around(change, work) : work(change),
  );
}
