import { findPartner as askForPartner } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import type { z } from 'zod';
import type { TenantContract } from '../auth/contracts.ts';
import type { Peers } from '../peers.ts';
import { ofPartner } from '../scopes.ts';
import type { Store } from '../store.ts';
import type { EventHandler } from '../subscriptions.ts';
import { copyOf, olderThanAll } from './copy.ts';
import { type PartnerState, partnerStates } from './state-events.ts';

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

/** What every service keeps of a partner: the kit asks it for each call of the partner's people. */
type KeptContract = Pick<PartnerState, 'partnerId' | 'contractRank' | 'licenseExpiredOn'>;

/** The handler that keeps partners, for what has to stay in order with it. */
export const keepPartners = 'keep-partners';
/** In a row from before the date was kept. */
const notTold = 'unknown';

/** A service's own copy of the partners, whose columns are the fields of `schema`. */
export function copyOfPartners<Kept extends KeptContract>(schema: z.ZodType<Kept>) {
  const copy = copyOf<PartnersDb<Kept>, PartnerState, number>(keepPartners, partnerStates, {
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
  });

  interface Dependencies {
    readonly clock: Clock;
    readonly peers: Peers;
    readonly store: Store<PartnersDb<Kept>>;
  }

  /** Null for one of whom not all is kept, too. */
  async function findPartner(db: PartnersDb<Kept>, partnerId: number): Promise<Kept | null> {
    const kept = schema.safeParse(await db.partner.findUnique({ where: { partnerId } })).data;
    return kept && kept.licenseExpiredOn !== notTold ? kept : null;
  }

  /**
   * What is kept of a partner; one that no event has told of yet it asks the tenant service about and keeps. Throws `E40402`
   * for a partner that does not exist, or not any more.
   */
  async function knowPartner(deps: Dependencies, partnerId: number): Promise<Kept> {
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

  /** The contract of a partner, as it is kept or the tenant service tells it. Throws `E40402` as `knowPartner` does. */
  async function contractOf(deps: Dependencies, partnerId: number): Promise<TenantContract> {
    // Read first: the contract is of this state or a later one.
    const revision = await deps.store.read(ofPartner(partnerId), async (db) => revisionOf(db, partnerId));
    const { contractRank, licenseExpiredOn } = await knowPartner(deps, partnerId);
    return { contractRank, licenseExpiredOn, revision };
  }

  /** For a database that has more than the partners. */
  const subscriptions = <Db extends PartnersDb<Kept>>() => copy.subscriptions as readonly EventHandler<Db>[];
  return { contractOf, findPartner, knowPartner, subscriptions };
}

/** Of the state that is kept of a partner; 0 where none is. */
async function revisionOf(db: SqlExecutor, partnerId: number): Promise<number> {
  const [known] = await db.$queryRawUnsafe<{ revision: number }[]>(
    'SELECT revision FROM messaging.copy WHERE name = $1 AND id = $2',
    keepPartners,
    partnerId,
  );
  return Math.max(known?.revision ?? 0, 0);
}
