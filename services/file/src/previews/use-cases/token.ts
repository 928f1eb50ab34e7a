import { createHash } from 'node:crypto';
import { limits } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import type { Seals } from '@portal/service-kit';
import { z } from 'zod';
import type { AskedChange } from '../../changes/domain/asked-change.ts';
import { storedChange } from '../../changes/domain/stored-change.ts';

const content = z.object({ until: z.number(), hash: z.string() });

/** What a token is good for: this change of this file of this tenant. */
function contextOf(partnerId: number, asked: AskedChange): string {
  const { body, what } = storedChange(asked);
  const names = Object.keys(body).sort();
  const hash = createHash('sha256').update(JSON.stringify(names.map((name) => [name, body[name]])));
  return `preview ${partnerId} ${asked.fileId} ${what} ${hash.digest('base64url')}`;
}

/** A token for a change with the effect that was shown. */
export function previewToken(
  seals: Seals,
  partnerId: number,
  asked: AskedChange,
  { hash, now }: { readonly hash: string; readonly now: Date },
): { previewToken: string; expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + limits.previewLifetime);
  const sealed = seals.seal(
    JSON.stringify({ until: expiresAt.getTime(), hash }),
    contextOf(partnerId, asked),
    'file',
  );
  // Some go into the query of an address.
  return { previewToken: Buffer.from(sealed, 'base64').toString('base64url'), expiresAt };
}

/**
 * The effect that was shown with a token.
 * @throws AppError `E40034` on `previewToken` for one of another change, and for one that is over
 */
export function shownEffect(
  seals: Seals,
  partnerId: number,
  asked: AskedChange,
  { now, token }: { readonly token: string; readonly now: Date },
): string {
  const { hash, until } = opened(seals, contextOf(partnerId, asked), token);
  if (until <= now.getTime()) throw outdated();
  return hash;
}

function opened(seals: Seals, context: string, token: string): z.output<typeof content> {
  try {
    return content.parse(JSON.parse(seals.open(token, context)));
  } catch {
    throw outdated();
  }
}

/** Something has changed since, or the token is not for this. */
export const outdated = () => fieldError('E40034', 'previewToken', 'previewOutdated');
