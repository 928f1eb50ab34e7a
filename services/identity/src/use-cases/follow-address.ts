import type { EventData, userEvents } from '@portal/contracts';
import type { Seals, Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { forgetLink } from '../data/password-link-repository.ts';
import { mailLink } from './mail-link.ts';

type Person = EventData<typeof userEvents.userCreated>;

/** Mails a new person who has yet to choose a password the link to do so. */
export async function inviteNew(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  { email, hasPassword, name, partnerId, userId: accountId }: Person & { readonly partnerId: number },
  now: Date,
): Promise<void> {
  if (email === null || hasPassword !== false) return;
  const letter = { template: 'passwordInit', name, language: null } as const;
  await mailLink(tx, seals, { email, to: { accountKind: 'account', accountId, partnerId, letter } }, now);
}

/** A link that went to an address that is not theirs any more is over; who has no password yet gets another. */
export async function followAddress(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  person: Person & { readonly partnerId: number },
  now: Date,
): Promise<void> {
  const { email, userId } = person;
  const wentElsewhere = await forgetLink(tx.db, userId, email === null ? {} : { except: email });
  if (wentElsewhere) await inviteNew(tx, seals, person, now);
}
