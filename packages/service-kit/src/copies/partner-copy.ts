import { type EventData, tenantEvents } from '@portal/contracts';
import { findPartner as askForPartner } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import type { z } from 'zod';
import type { Peers } from '../peers.ts';
import { ofPartner } from '../scopes.ts';
import type { Store } from '../store.ts';
import type { EventHandler } from '../subscriptions.ts';
import { copyOf, olderThanAll } from './copy.ts';
import { partnerStates } from './state-events.ts';

/** A database with a table of partners that has a column for each field of `Kept`. */
export interface PartnersDb<Kept> extends SqlExecutor {
  readonly partner: {
    findUnique(args: { where: { partnerId: number } }): PromiseLike<unknown>;
    upsert(args: {
      where: { partnerId: number };
      create: Kept;
      update: Omit<Kept, 'partnerId'>;
    }): PromiseLike<unknown>;
    deleteMany(args: { where: { partnerId: { in: number[] } } }): PromiseLike<unknown>;
  };
}

/** A service's own copy of the partners, whose columns are the fields of `schema`. */
export function copyOfPartners<Kept extends { partnerId: number }>(schema: z.ZodType<Kept>) {
  const copy = copyOf<PartnersDb<Kept>, EventData<typeof tenantEvents.partnerCreated>, number>(
    'keep-partners',
    partnerStates,
    {
      async keep({ db }, partners) {
        for (const { state } of partners) {
          const kept = schema.parse(state);
          const { partnerId, ...update } = kept;
          await db.partner.upsert({ where: { partnerId }, create: kept, update });
        }
      },
      async forget({ db }, partners) {
        await db.partner.deleteMany({ where: { partnerId: { in: partners.map(({ id }) => id) } } });
      },
    },
  );

  /** Null for one of whom not all is kept, too. */
  async function findPartner(db: PartnersDb<Kept>, partnerId: number): Promise<Kept | null> {
    return schema.safeParse(await db.partner.findUnique({ where: { partnerId } })).data ?? null;
  }

  /**
   * What is kept of a partner; one that no event has told of yet it asks the tenant service about and keeps. Throws `E40402`
   * for a partner that does not exist, or not any more.
   */
  async function knowPartner(
    deps: { readonly clock: Clock; readonly peers: Peers; readonly store: Store<PartnersDb<Kept>> },
    partnerId: number,
  ): Promise<Kept> {
    const { clock, peers, store } = deps;
    const known = await store.read(ofPartner(partnerId), async (db) => findPartner(db, partnerId));
    if (known) return known;
    const state = await peers.call(askForPartner, { body: { partnerId } });
    return store.write(ofPartner(partnerId), async (tx) => {
      const { revision = olderThanAll } = state;
      await copy.take(tx, [{ id: partnerId, partnerId, revision, at: clock.now(), state }]);
      const kept = await findPartner(tx.db, partnerId);
      if (!kept) throw new AppError('E40402');
      return kept;
    });
  }

  /** For a database that has more than the partners. */
  const subscriptions = <Db extends PartnersDb<Kept>>() => copy.subscriptions as readonly EventHandler<Db>[];
  return { findPartner, knowPartner, subscriptions };
}
