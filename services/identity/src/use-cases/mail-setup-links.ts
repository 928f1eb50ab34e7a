import type { EventData, userEvents } from '@portal/contracts';
import type { Seals, Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { consumeResetMailQuota } from '../data/reset-mail-repository.ts';
import { mailLinks } from './mail-link.ts';

/**
 * Mails people a new link to choose their first password. The user service has counted them: none is one too many. Each is one of
 * those that they may be sent in an hour.
 */
export async function mailSetupLinks(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  { partnerId, people }: EventData<typeof userEvents.setupMailsRequested>,
  now: Date,
): Promise<void> {
  const requests = people.map(({ email, generation, name, userId: accountId }) => {
    const letter = { template: 'passwordInit', name, language: null } as const;
    return { email, to: { accountKind: 'account', accountId, partnerId, generation, letter } as const };
  });
  const owners = requests.map(({ to }) => to);
  await consumeResetMailQuota(tx.db, owners, { now, rationed: false });
  await mailLinks(tx, seals, { requests, bulk: people.length > 1, rationed: false, asked: null }, now);
}
