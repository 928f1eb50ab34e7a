import { findPartner as askForPartner } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import type { z } from 'zod';
import type { ReadContract, TenantContract } from '../auth/contracts.ts';
import type { Peers } from '../peers.ts';
import { ofPartner, systemScope } from '../scopes.ts';
import type { Store, Transaction } from '../store.ts';
import type { EventEnvelope, EventHandler } from '../subscriptions.ts';
import { together } from '../together.ts';
import { copyOf, olderThanAll } from './copy.ts';
import { type PartnerState, partnerStates } from './state-events.ts';

/** A database with a table of partners that has a column for each field of `Kept`. */
export interface PartnersDb<Kept> extends SqlExecutor {
  readonly partner: {
    findUnique(args: { where: { partnerId: number } }): PromiseLike<unknown>;
    findMany(args: { where: { partnerId: { in: number[] } } }): PromiseLike<unknown[]>;
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

/** Whoever calls at the same time may be of any partner. */
const ofCallers = systemScope('the contracts of those who call');
const mostTogether = 1_000;

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
    return whole(await db.partner.findUnique({ where: { partnerId } }));
  }

  function whole(row: unknown): Kept | null {
    const kept = schema.safeParse(row).data;
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
    const [kept] = await deps.store.read(ofPartner(partnerId), async (db) => keptContracts(db, [partnerId]));
    return kept ?? contractToldOf(deps, partnerId);
  }

  /** The same for the calls of the people of many partners: those that are asked for at the same time are read together. */
  function contractReader(deps: Dependencies): ReadContract {
    const read = together<number, TenantContract | undefined>({
      most: mostTogether,
      atOnce: 1,
      run: async (ids) => deps.store.read(ofCallers, async (db) => keptContracts(db, ids)),
    });
    return async (partnerId) => (await read(partnerId)) ?? contractToldOf(deps, partnerId);
  }

  /** Of each of these partners; undefined where not all is kept. */
  async function keptContracts(
    db: PartnersDb<Kept>,
    ids: readonly number[],
  ): Promise<(TenantContract | undefined)[]> {
    // Read first: a contract is of this state or a later one.
    const revisions = await revisionsOf(db, ids);
    const rows = await db.partner.findMany({ where: { partnerId: { in: [...ids] } } });
    const partners = new Map(rows.flatMap((row) => whole(row) ?? []).map((kept) => [kept.partnerId, kept]));
    return ids.map((id) => {
      const kept = partners.get(id);
      if (!kept) return undefined;
      const { contractRank, licenseExpiredOn } = kept;
      return { contractRank, licenseExpiredOn, revision: revisions.get(id) ?? 0 };
    });
  }

  async function contractToldOf(deps: Dependencies, partnerId: number): Promise<TenantContract> {
    const { contractRank, licenseExpiredOn } = await knowPartner(deps, partnerId);
    return { contractRank, licenseExpiredOn, revision: 0 };
  }

  /** Keeps what an event tells of a partner together with another effect of it, whichever handler is first. */
  async function keepTold(tx: Transaction<PartnersDb<Kept>>, event: EventEnvelope): Promise<void> {
    const told = partnerStates.filter(({ event: { type } }) => type === event.type);
    await copy.take(
      tx,
      told.flatMap(({ read }) => read(event)),
    );
  }

  /** For a database that has more than the partners. */
  const subscriptions = <Db extends PartnersDb<Kept>>() => copy.subscriptions as readonly EventHandler<Db>[];
  return { contractOf, contractReader, findPartner, keepTold, knowPartner, subscriptions };
}

/** Of the states that are kept of partners. */
async function revisionsOf(db: SqlExecutor, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const known = await db.$queryRawUnsafe<{ id: number; revision: number }[]>(
    'SELECT id, revision FROM messaging.copy WHERE name = $1 AND id = ANY ($2::integer[])',
    keepPartners,
    [...ids],
  );
  return new Map(known.map(({ id, revision }) => [id, Math.max(revision, 0)]));
}
