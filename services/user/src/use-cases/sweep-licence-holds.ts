import type { Scope } from '@portal/database';
import { deleteLicenceHoldsBefore } from '../data/licence-hold-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/** Longer than any event is late: a hold without an end is one whose end was lost. */
const heldForMs = 24 * 3_600_000;

/** Ends holds of licences of which nothing was heard any more. */
export async function sweepLicenceHolds(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  scope: Scope,
): Promise<void> {
  const before = new Date(clock.now().getTime() - heldForMs);
  await store.write(scope, async ({ db }) => deleteLicenceHoldsBefore(db, before));
}
