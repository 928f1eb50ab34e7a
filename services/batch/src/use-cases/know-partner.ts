import { findPartner } from '@portal/contracts/internal';
import { ofPartner, type Peers, type Store } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { type KnownPartner, keepPartner, findPartner as storedPartner } from '../data/partner-repository.ts';

/** What this service keeps of a partner; one that it has not heard of yet it asks the tenant service about and keeps. */
export async function knowPartner(
  { peers, store }: { peers: Peers; store: Store<BatchDb> },
  partnerId: number,
): Promise<KnownPartner> {
  const known = await store.read(ofPartner(partnerId), (db) => storedPartner(db, partnerId));
  if (known) return known;
  const partner = await peers.call(findPartner, { body: { partnerId } });
  await store.write(ofPartner(partnerId), ({ db }) => keepPartner(db, partner));
  return partner;
}
