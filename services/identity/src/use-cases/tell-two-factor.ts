import { identityEvents, type Language } from '@portal/contracts';
import { requestMail } from '@portal/mail-requests';
import type { Seals, Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import type { Owner } from '../domain/owner.ts';

/** Tells that the two factors of somebody are on or off: by an event, and them by a mail where they have an address. */
export function tellTwoFactor(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  { accountId, accountKind, partnerId }: Owner,
  {
    revision,
    template,
    to,
  }: {
    readonly revision: number;
    readonly template: 'twoFactorOn' | 'twoFactorOff' | 'twoFactorRemoved';
    readonly to: { readonly name: string; readonly email: string | null; readonly language: Language | null };
  },
): void {
  tx.outbox.append(identityEvents.twoFactorChanged, {
    subject: accountId,
    partnerId,
    data: { accountKind, accountId, revision, enabled: template === 'twoFactorOn' },
  });
  const { email, language, name } = to;
  if (email === null) return;
  requestMail(tx, seals, { partnerId, content: { template, to: email, name, language } });
}
