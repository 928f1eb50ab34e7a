import type { Seals, Transaction, UserState } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { forgetLinksElsewhere } from '../data/password-link-repository.ts';
import { mailLinks } from './mail-link.ts';

type Person = UserState & { readonly partnerId: number };

/** Mails people who have yet to choose a password the link to do so. */
async function invite(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  people: readonly Person[],
  options: { readonly now: Date; readonly rationed: boolean; readonly asked: false | null },
): Promise<void> {
  const invited = people.flatMap(({ email, hasPassword, name, partnerId, userId: accountId }) => {
    if (email === null || hasPassword !== false) return [];
    const letter = { template: 'passwordInit', name, language: null } as const;
    return [{ email, to: { accountKind: 'account', accountId, partnerId, letter } as const }];
  });
  if (invited.length > 0) {
    const { asked, now, rationed } = options;
    await mailLinks(tx, seals, { requests: invited, bulk: true, rationed, asked }, now);
  }
}

/** Mails who have signed their companies up, and wait for it, the link by which they choose a password and begin. */
async function welcome(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  people: readonly Person[],
  { now, rationed }: { readonly now: Date; readonly rationed: boolean },
): Promise<void> {
  const requests = people.flatMap(({ email, hasPassword, name, partnerId, userId: accountId }) => {
    if (email === null || hasPassword !== false) return [];
    const letter = { template: 'signUpPassword', name, language: null } as const;
    return [{ email, to: { accountKind: 'account', accountId, partnerId, signsUp: true, letter } as const }];
  });
  if (requests.length > 0) await mailLinks(tx, seals, { requests, rationed, asked: null }, now);
}

/**
 * Who is new and has yet to choose a password gets a link to do so, unless an import has left it out. Links that went to an address that is not theirs any more
 * are over; who has no password yet gets another of the same kind, of those that they may be sent in an hour.
 */
export async function followAddresses(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  people: readonly (Person & { readonly isNew: boolean })[],
  options: { readonly now: Date; readonly rationed: boolean },
): Promise<void> {
  const wentElsewhere = await forgetLinksElsewhere(
    tx.db,
    people.map(({ email, userId }) => ({ accountId: userId, email })),
  );
  const grouped = Object.groupBy(people, ({ isNew, setupMail = true, signUp, userId }) => {
    const left = wentElsewhere.get(userId);
    if (left) return left.signsUp ? 'corrected' : 'linkless';
    if (!isNew || !setupMail || (signUp && signUp.identity !== null)) return 'settled';
    return signUp ? 'signedUp' : 'fresh';
  });
  const { corrected = [], fresh = [], linkless = [], signedUp = [] } = grouped;
  await invite(tx, seals, linkless, { ...options, asked: false });
  await welcome(tx, seals, corrected, options);
  // The user service has taken note of the first mail with the account.
  await invite(tx, seals, fresh, { ...options, rationed: false, asked: null });
  await welcome(tx, seals, signedUp, { ...options, rationed: false });
}
