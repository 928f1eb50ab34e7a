import type { EventData, fileEvents } from '@portal/contracts';
import { requestMails } from '@portal/mail-requests';
import type { Transaction } from '@portal/service-kit';
import { otherAdminsWithMail } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import type { Dependencies } from '../dependencies.ts';

/** Mails every admin but who asks that a change of what people get waits for one of them. */
export async function mailApproval(
  tx: Transaction<UserDb>,
  { seals }: Pick<Dependencies, 'seals'>,
  partnerId: number,
  {
    approvalId,
    name: fileName,
    requestedBy,
    requestedByName: by,
  }: EventData<typeof fileEvents.approvalRequested>,
): Promise<void> {
  const admins = await otherAdminsWithMail(tx.db, partnerId, requestedBy);
  const asked = { template: 'approvalRequested', language: null, approvalId, fileName, by } as const;
  const contents = admins.map(({ email, name }) => ({ ...asked, to: email, name }));
  requestMails(tx, seals, { partnerId, contents });
}
