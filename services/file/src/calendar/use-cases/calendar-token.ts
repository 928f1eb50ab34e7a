import { hasAnyRole, isLicenceOver, userRoleBits } from '@portal/contracts';
import { findAccount } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner, type Peers } from '@portal/service-kit';
import { contractOf } from '../../copies/data/copies-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import {
  deleteTokenOf,
  findTokenByHash,
  findTokenOf,
  noteTokenUse,
  saveToken,
} from '../data/token-repository.ts';
import { hashOf, makeToken } from '../domain/token.ts';

interface Holder {
  readonly partnerId: number;
  readonly accountId: number;
}
type Needed = Pick<Dependencies, 'clock' | 'store'>;

const minuteMs = 60_000;

/** Makes the token of somebody, which nobody can read again; the one that they had ends. */
export async function createCalendarToken({ clock, store }: Needed, holder: Holder): Promise<string> {
  const token = makeToken();
  const hash = hashOf(token);
  if (!hash) throw new Error('A token that was made has another form');
  await store.write(ofPartner(holder.partnerId), async ({ db }) =>
    saveToken(db, holder, { hash, now: clock.now() }),
  );
  return token;
}

/** Throws `E40401` for who has none. */
export async function getCalendarToken(
  { store }: Needed,
  holder: Holder,
): Promise<{ createdAt: Date; lastUsedAt: Date | null }> {
  const found = await store.read(ofPartner(holder.partnerId), async (db) => findTokenOf(db, holder));
  if (!found) throw new AppError('E40401');
  return found;
}

/** Throws `E40401` for who has none. */
export async function deleteCalendarToken({ store }: Needed, holder: Holder): Promise<void> {
  const had = await store.write(ofPartner(holder.partnerId), async ({ db }) => deleteTokenOf(db, holder));
  if (!had) throw new AppError('E40401');
}

/**
 * Sees that the token is one of the tenant, of somebody who is its company admin at this moment. Its use is noted once a minute,
 * however often it is used.
 * @throws AppError `E40101` without one, `E40102` for any other, `E40302` once the licence is over
 */
export async function admitByToken(
  deps: Needed & { readonly peers: Peers },
  partnerId: number,
  token: string | undefined,
): Promise<void> {
  if (token === undefined) throw new AppError('E40101');
  const { clock, peers, store } = deps;
  const hash = hashOf(token);
  const found =
    hash && (await store.read(ofPartner(partnerId), (db) => findTokenByHash(db, partnerId, hash)));
  if (!found) throw new AppError('E40102');
  await requireAdmin(peers, { partnerId, accountId: found.accountId });
  const now = clock.now();
  const { licenseExpiredOn } = await contractOf(deps, partnerId);
  if (isLicenceOver(licenseExpiredOn === null ? null : new Date(licenseExpiredOn), now)) {
    throw new AppError('E40302');
  }
  const minute = new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);
  if (found.lastUsedAt === null || found.lastUsedAt < minute) {
    await store.write(ofPartner(partnerId), async ({ db }) => noteTokenUse(db, partnerId, hash, minute));
  }
}

/** The events that end a token may be on their way: who is deleted, or an admin no more, gets nothing in between. */
async function requireAdmin(peers: Peers, holder: Holder): Promise<void> {
  try {
    const { role } = await peers.call(findAccount, { body: holder });
    if (hasAnyRole(role, userRoleBits.admin)) return;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'E40403')) throw error;
  }
  throw new AppError('E40102');
}
