import type { EventData, userEvents } from '@portal/contracts';
import type { Seals, Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { forgetLinksElsewhere } from '../data/password-link-repository.ts';
import { mailLinks } from './mail-link.ts';

type Person = EventData<typeof userEvents.userCreated> & { readonly partnerId: number };

/** Mails new people who have yet to choose a password the link to do so. */
export async function inviteNew(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  people: readonly Person[],
  options: { readonly now: Date; readonly rationed?: boolean },
): Promise<void> {
  const { now, rationed = false } = options;
  const invited = people.flatMap(({ email, hasPassword, name, partnerId, userId: accountId }) => {
    if (email === null || hasPassword !== false) return [];
    const letter = { template: 'passwordInit', name, language: null } as const;
    return [{ email, to: { accountKind: 'account', accountId, partnerId, letter } as const }];
  });
  if (invited.length > 0) await mailLinks(tx, seals, { requests: invited, bulk: true, rationed }, now);
}

/**
 * Links that went to an address that is not theirs any more are over; who has no password yet gets another, of those that they
 * may be sent in an hour.
 */
export async function followAddresses(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  people: readonly Person[],
  options: { readonly now: Date; readonly rationed: boolean },
): Promise<void> {
  const wentElsewhere = await forgetLinksElsewhere(
    tx.db,
    people.map(({ email, userId }) => ({ accountId: userId, email })),
  );
  const linkless = people.filter(({ userId }) => wentElsewhere.has(userId));
  await inviteNew(tx, seals, linkless, options);
}
