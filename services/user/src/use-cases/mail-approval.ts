import type { EventData, fileEvents } from '@portal/contracts';
import { requestMail } from '@portal/mail-requests';
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
  for (const { email, name } of await otherAdminsWithMail(tx.db, partnerId, requestedBy)) {
    const content = {
      template: 'approvalRequested',
      to: email,
      name,
      language: null,
      approvalId,
      fileName,
      by,
    } as const;
    requestMail(tx, seals, { partnerId, bulk: true, content });
  }
}
