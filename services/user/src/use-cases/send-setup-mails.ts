import { limits, type Selection, userEvents } from '@portal/contracts';
import { slicesOf } from '@portal/database';
import { slices } from '@portal/kernel';
import { concernsRecords } from '@portal/service-kit';
import { claimSetupMails } from '../data/setup-mail-repository.ts';
import { type AskedUsers, selectUsers } from '../data/user-filters.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * Has a new link to choose a first password mailed to those selected who have an address and no password; skips the others, and
 * with `rationed` whoever got the mails of an hour. Throws `E40403` for a user that the partner does not have, `E40034` when the
 * filter shows another number by now.
 */
export async function sendSetupMails(
  { clock, inTurn, rationed }: Pick<Dependencies, 'clock' | 'inTurn' | 'rationed'>,
  partnerId: number,
  selection: Selection<AskedUsers>,
): Promise<{ count: number; skipped: number }> {
  return inTurn(partnerId, async ({ db, outbox }) => {
    const selected = await selectUsers(db, partnerId, selection);
    concernsRecords(selected);
    let count = 0;
    for (const some of slicesOf(selected)) {
      const mailed = await claimSetupMails(db, partnerId, some, { now: clock.now(), rationed });
      count += mailed.length;
      for (const people of slices(mailed, limits.peopleOfEvent)) {
        outbox.append(userEvents.setupMailsRequested, {
          subject: partnerId,
          partnerId,
          data: { partnerId, people },
        });
      }
      await outbox.flush();
    }
    return { count, skipped: selected.length - count };
  });
}
