import { fieldError } from '@portal/kernel';
import { countAdmins } from '../data/account-repository.ts';
import { setTwoAdmins } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/** Keeps a company from having fewer than two admins from now on. Throws `E40034` on approvalRequired where it has fewer. */
export async function requireTwoAdmins(
  { inTurn }: Pick<Dependencies, 'inTurn'>,
  partnerId: number,
  at: Date,
): Promise<void> {
  await inTurn(partnerId, async ({ db }) => {
    if ((await countAdmins(db, partnerId)) < 2) {
      throw fieldError('E40034', 'approvalRequired', 'twoAdminsNeeded');
    }
    await setTwoAdmins(db, partnerId, { needed: true, at });
  });
}
