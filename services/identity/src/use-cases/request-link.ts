import { createHash } from 'node:crypto';
import { type EventData, identityEvents, languages } from '@portal/contracts';
import { newId } from '@portal/kernel';
import type { Seals, Transaction } from '@portal/service-kit';
import { z } from 'zod';
import { lockAdmin } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { mailLinks } from './mail-link.ts';

const asked = z
  .object({
    email: z.string(),
    name: z.string(),
    /** Null: the language of the tenant. */
    language: z.enum(languages).nullable(),
    accountKind: z.enum(['account', 'admin']),
    accountId: z.number().int(),
    partnerId: z.number().int().nullable(),
    generation: z.number().int().optional(),
    /** Of an administrator: `markOf` the password that they had when they asked. */
    passwordMark: z.string().optional(),
    /** Where they choose another password; null for their first. */
    area: z.enum(['admin', 'partner', 'user']).nullable(),
  })
  .nullable();
/** Who is to be mailed a link; null for nobody. */
export type AskedLink = z.output<typeof asked>;

/** Tells a password from another one. Even sealed, no event carries what a password can be guessed by. */
export const markOf = ({ passwordHash }: { readonly passwordHash: string }): string =>
  createHash('sha256').update(passwordHash).digest('base64url');

/**
 * Has a link mailed, after the answer: there everything is the same, whether or not there is such a person and however many
 * mails they were sent.
 */
export function requestLink({ outbox }: Transaction<IdentityDb>, seals: Seals, link: AskedLink): void {
  const askId = newId();
  outbox.append(identityEvents.passwordResetAsked, {
    subject: askId,
    partnerId: null,
    data: { askId, sealed: seals.seal(JSON.stringify(link), askId, 'identity') },
  });
}

/**
 * Mails the link that was asked for, unless it is for nobody, or one too many, or for an administrator who is gone by now, or has
 * another password.
 */
export async function mailAskedLink(
  tx: Transaction<IdentityDb>,
  { rationed, seals }: { readonly seals: Seals; readonly rationed: boolean },
  { askId, sealed }: EventData<typeof identityEvents.passwordResetAsked>,
  now: Date,
): Promise<void> {
  const link = asked.parse(JSON.parse(seals.open(sealed, askId)));
  if (!link) return;
  const { area, email, language, name, passwordMark, ...owner } = link;
  if (passwordMark !== undefined) {
    const admin = await lockAdmin(tx.db, owner.accountId);
    if (!admin || markOf(admin) !== passwordMark) return;
  }
  const letter =
    area === null
      ? ({ template: 'passwordInit', name, language } as const)
      : ({ template: 'passwordReset', area, name, language } as const);
  await mailLinks(tx, seals, { requests: [{ email, to: { ...owner, letter } }], rationed, asked: true }, now);
}
