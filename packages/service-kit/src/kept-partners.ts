import type { tenantEvents } from '@portal/contracts';
import { findPartner as askForPartner } from '@portal/contracts/internal';
import type { z } from 'zod';
import type { Peers } from './peers.ts';
import { ofPartner, type Store } from './store.ts';

type PartnerState = z.output<typeof tenantEvents.partnerState>;

/** A database with a table of partners that has a column for each field of `Kept`. */
interface PartnersDb<Kept> {
  readonly partner: {
    findUnique(args: { where: { partnerId: number } }): PromiseLike<unknown>;
    upsert(args: {
      where: { partnerId: number };
      create: Kept;
      update: Omit<Kept, 'partnerId'>;
    }): PromiseLike<unknown>;
  };
}

/** A service's own copy of what it needs of the partners: the fields of `schema`. */
export function keptPartners<Kept extends { partnerId: number }>(schema: z.ZodType<Kept>) {
  /** Keeps what the tenant service told of. */
  async function keepPartner(db: PartnersDb<Kept>, partner: PartnerState): Promise<void> {
    const kept = schema.parse(partner);
    const { partnerId, ...update } = kept;
    await db.partner.upsert({ where: { partnerId }, create: kept, update });
  }

  async function findPartner(db: PartnersDb<Kept>, partnerId: number): Promise<Kept | null> {
    const partner = await db.partner.findUnique({ where: { partnerId } });
    return partner === null ? null : schema.parse(partner);
  }

  /**
   * What is kept of a partner; one that this service has not heard of yet it asks the tenant service about and keeps.
   * Throws `E40402` for a partner that does not exist.
   */
  async function knowPartner(
    { peers, store }: { readonly peers: Peers; readonly store: Store<PartnersDb<Kept>> },
    partnerId: number,
  ): Promise<Kept> {
    const known = await store.read(ofPartner(partnerId), (db) => findPartner(db, partnerId));
    if (known) return known;
    const partner = await peers.call(askForPartner, { body: { partnerId } });
    await store.write(ofPartner(partnerId), ({ db }) => keepPartner(db, partner));
    return schema.parse(partner);
  }

  return { findPartner, keepPartner, knowPartner };
}
