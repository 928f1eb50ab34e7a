import type { EventData, userEvents } from '@portal/contracts';
import type { Seals, Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { mailLinks } from './mail-link.ts';

/** Mails people a new link to choose their first password. The user service has counted them: none is one too many. */
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
  await mailLinks(tx, seals, { requests, bulk: people.length > 1, rationed: false, asked: null }, now);
}
