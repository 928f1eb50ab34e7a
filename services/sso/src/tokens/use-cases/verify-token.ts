import type { Scope } from '@portal/database';
import type { Dependencies } from '../../dependencies.ts';
import { findToken, noteTokenUse } from '../data/token-repository.ts';
import { hashOf } from '../domain/token.ts';

const minuteMs = 60_000;

/**
 * The partner whose token this is; undefined for one that nobody has, or not any more. Its use is noted once a minute, however
 * often it is used.
 */
export async function verifyToken(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  token: string,
  scope: Scope,
): Promise<number | undefined> {
  const hash = hashOf(token);
  if (!hash) return undefined;
  const found = await store.read(scope, async (db) => findToken(db, hash));
  if (!found) return undefined;
  const minute = new Date(Math.floor(clock.now().getTime() / minuteMs) * minuteMs);
  if (found.lastUsedAt === null || found.lastUsedAt < minute) {
    await store.write(scope, async ({ db }) => noteTokenUse(db, found.id, minute));
  }
  return found.partnerId;
}
