import { isGuessable } from '@portal/accounts';
import { ofPartner, type Store, type TenantCaller } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { findSession } from '../data/session-views.ts';

/** Whether a password is one that others would try first for the caller. */
export async function isGuessableFor(
  { store }: { store: Store<IdentityDb> },
  { partnerId, sessionId }: TenantCaller,
  password: string,
): Promise<boolean> {
  const session = await store.read(ofPartner(partnerId), (db) => findSession(db, sessionId));
  return isGuessable(password, session ?? {});
}
