import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { findToken, noteTokenUse } from '../data/token-repository.ts';
import { hashOf } from '../domain/token.ts';

const minuteMs = 60_000;

/**
 * Which token of a partner this is; undefined for one that it does not have, or not any more. Its use is noted once a minute,
 * however often it is used.
 */
export async function verifyToken(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  partnerId: number,
  token: string,
): Promise<{ readonly id: number; readonly name: string } | undefined> {
  const hash = hashOf(token);
  if (!hash) return undefined;
  const scope = ofPartner(partnerId);
  const found = await store.read(scope, async (db) => findToken(db, partnerId, hash));
  if (!found) return undefined;
  const minute = new Date(Math.floor(clock.now().getTime() / minuteMs) * minuteMs);
  if (found.lastUsedAt === null || found.lastUsedAt < minute) {
    await store.write(scope, async ({ db }) => noteTokenUse(db, partnerId, found.id, minute));
  }
  return { id: found.id, name: found.name };
}
