import type { EventData, fileEvents } from '@portal/contracts';
import { requestMail } from '@portal/mail-requests';
import type { Transaction } from '@portal/service-kit';
import { otherAdminsWithMail } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import type { Dependencies } from '../dependencies.ts';

/** Mails every company admin that the stages of a version were halted. */
export async function mailHalt(
  tx: Transaction<UserDb>,
  { seals }: Pick<Dependencies, 'seals'>,
  partnerId: number,
  { haltedBy, name: fileName, publisher: _none, ...told }: EventData<typeof fileEvents.fileRolloutHalted>,
): Promise<void> {
  const halted = { template: 'rolloutHalted', ...told, fileName, byHand: haltedBy !== null } as const;
  for (const { email, name } of await otherAdminsWithMail(tx.db, partnerId, null)) {
    requestMail(tx, seals, {
      partnerId,
      bulk: true,
      content: { ...halted, to: email, name, language: null },
    });
  }
}
