import { findPartner } from '@portal/contracts/internal';
import { ofPartner } from '@portal/service-kit';
import { type KnownPartner, keepPartner, findPartner as storedPartner } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * What this service keeps of a partner; one that it has not heard of yet it asks the tenant service about and keeps.
 * Throws `E40402` for a partner that does not exist.
 */
export async function knowPartner(
  { peers, store }: Pick<Dependencies, 'peers' | 'store'>,
  partnerId: number,
): Promise<KnownPartner> {
  const known = await store.read(ofPartner(partnerId), (db) => storedPartner(db, partnerId));
  if (known) return known;
  const partner = await peers.call(findPartner, { body: { partnerId } });
  await store.write(ofPartner(partnerId), ({ db }) => keepPartner(db, partner));
  return partner;
}
