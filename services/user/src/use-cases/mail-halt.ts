import type { EventData, fileEvents } from '@portal/contracts';
import { requestMails } from '@portal/mail-requests';
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
  const admins = await otherAdminsWithMail(tx.db, partnerId, null);
  const byHand = haltedBy !== null;
  const halted = { template: 'rolloutHalted', ...told, fileName, byHand, language: null } as const;
  const contents = admins.map(({ email, name }) => ({ ...halted, to: email, name }));
  requestMails(tx, seals, { partnerId, contents });
}
