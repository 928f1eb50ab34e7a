import { requestMail } from '@portal/mail-requests';
import { type Seals, type Transaction } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import type { Account } from '../data/generated/client.ts';

/**
 * Tells somebody by mail that their password is another, whoever changed it: at the address that they had before. Who has none,
 * or had no password yet, is told nothing.
 */
export function mailPasswordChanged(
  tx: Pick<Transaction<UserDb>, 'outbox'>,
  seals: Seals,
  { email, name, partnerId, passwordHash }: Account,
): void {
  if (email === null || passwordHash === null) return;
  const content = { template: 'passwordChanged', to: email, name, language: null } as const;
  requestMail(tx, seals, { partnerId, content });
}
