import { type ContractRank, tenantEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import type { BusSubscription, EventBus } from '@portal/messaging';
import { LRUCache } from 'lru-cache';
import { partnerStates } from '../copies/state-events.ts';

/** What of the contract of a tenant decides about the calls of its people. */
export interface TenantContract {
  readonly contractRank: ContractRank;
  /** When the licence ends; null: never. */
  readonly licenseExpiredOn: string | null;
  /** Of the state that says so; absent in answers from before it was kept. */
  readonly revision?: number | undefined;
}

/** The contract that the service knows of a tenant. Throws `E40402` for no tenant. */
export type ReadContract = (partnerId: number) => Promise<TenantContract>;

/** The contracts of the tenants that call, in memory: every call of a person or a player asks for one. */
export interface Contracts {
  /** Throws `E40102` for a tenant that does not exist, or not any more: its tokens are worth nothing. */
  of(partnerId: number): Promise<TenantContract>;
  close(): Promise<void>;
}

const mostKept = 10_000;
/** After so long a contract is read again: an event may have passed this instance by while the bus was away. */
const readAgainMs = 5_000;

/** What is known of a contract, and when it was looked up; null: the tenant is gone. */
interface Known {
  readonly contract: TenantContract | null;
  readonly at: number;
}

/**
 * Every instance hears of each change by broadcast, as soon as it is published, before the handlers of its service. What `read`
 * answers never takes the place of a newer state that was heard.
 */
export async function followContracts({
  bus,
  read,
}: {
  readonly bus: EventBus;
  readonly read: ReadContract;
}): Promise<Contracts> {
  const known = new LRUCache<number, Known>({ max: mostKept });
  const reading = new Map<number, Promise<TenantContract | null>>();

  /** @returns the newer of it and what is known */
  function keep(partnerId: number, told: TenantContract | null): TenantContract | null {
    const before = known.get(partnerId);
    const contract = before && isOlder(told, before.contract) ? before.contract : told;
    known.set(partnerId, { contract, at: performance.now() });
    return contract;
  }

  async function look(partnerId: number): Promise<TenantContract | null> {
    try {
      return keep(partnerId, await read(partnerId));
    } catch (error) {
      if (error instanceof AppError && error.code === 'E40402') return null;
      const before = known.get(partnerId);
      if (!before) throw error;
      // The owner is away: what was known is true until something else is told.
      return before.contract;
    }
  }

  const subscription: BusSubscription = await bus.broadcast({
    topics: [tenantEvents.partnerUpdated.topic],
    onEvent(envelope) {
      const told = partnerStates.find(({ event }) => event.type === envelope.type);
      if (!told) return;
      const data = told.event.data.parse(envelope.data);
      for (const { id, state } of told.read({ ...envelope, data })) keep(id, state && contractIn(state));
    },
  });

  /** Null where the tenant is gone. */
  function current(partnerId: number): Promise<TenantContract | null> | TenantContract | null {
    const before = known.get(partnerId);
    if (before && (before.contract === null || performance.now() - before.at < readAgainMs))
      return before.contract;
    const looking = reading.get(partnerId) ?? look(partnerId).finally(() => reading.delete(partnerId));
    reading.set(partnerId, looking);
    return looking;
  }

  return {
    async of(partnerId) {
      const contract = await current(partnerId);
      if (!contract) throw new AppError('E40102');
      return contract;
    },
    close: () => subscription.close(),
  };
}

/** Nothing follows an end. */
function isOlder(told: TenantContract | null, known: TenantContract | null): boolean {
  if (told === null) return false;
  if (known === null) return true;
  return (told.revision ?? 0) < (known.revision ?? 0);
}

const contractIn = ({ contractRank, licenseExpiredOn, revision }: TenantContract): TenantContract => ({
  contractRank,
  licenseExpiredOn,
  revision,
});
