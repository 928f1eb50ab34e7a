import { identityEvents, type Language } from '@portal/contracts';
import { requestMail } from '@portal/mail-requests';
import { type Seals, type Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';

/** Tells that an administrator has another password: by an event, and them by a mail. */
export function mailAdminPasswordChanged(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  { email, id, name }: { readonly id: number; readonly name: string; readonly email: string },
  language: Language,
): void {
  tx.outbox.append(identityEvents.passwordChanged, {
    subject: id,
    partnerId: null,
    data: { accountKind: 'admin', accountId: id },
  });
  const content = { template: 'passwordChanged', to: email, name, language } as const;
  requestMail(tx, seals, { partnerId: null, content });
}
