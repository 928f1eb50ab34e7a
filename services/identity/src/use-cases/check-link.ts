import type { Clock } from '@portal/kernel';
import { everything, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { findLink } from '../data/password-link-repository.ts';
import { hashOfLinkToken } from '../tokens/link-token.ts';

/** Whether a link to choose a password is good: not used, not over, not followed by another. */
export async function isGoodLink(
  { clock, store }: { store: Store<IdentityDb>; clock: Clock },
  token: string,
): Promise<boolean> {
  return (await store.read(everything, (db) => findLink(db, hashOfLinkToken(token), clock.now()))) !== null;
}
