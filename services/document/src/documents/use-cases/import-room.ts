import { AppError } from '@portal/kernel';
import { LRUCache } from 'lru-cache';
import type { DatabaseRef, DocumentStore, Occupied } from '../../store/document-store.ts';

/** What an import needs room for. */
interface Demand {
  readonly quotaBytes: number;
  /** What replaces a document takes its place: it may come as long as the database is not full. */
  readonly replaces: boolean;
  /** It waits beside what it may replace. */
  readonly waits: boolean;
}

/**
 * The room that databases have for imports. All imports of this instance into one database share it. What others write is seen when
 * it is measured again, after a small part of what was free: more than that each instance cannot take too much.
 */
export interface ImportRooms {
  /**
   * Begins `work`, which writes so many bytes, once there is room for them, and answers what it will have done. Throws `E40016`
   * where there is none.
   */
  begin<T>(
    database: DatabaseRef,
    demand: Demand,
    bytes: number,
    work: () => Promise<T>,
  ): Promise<{ readonly done: Promise<T> }>;
  /** Throws `E40016` where what has waited, so many bytes, may not come to the rest now. */
  requireToFinish(database: DatabaseRef, demand: Demand, bytes: number): Promise<void>;
}

const mostKept = 10_000;
/** A database into which nothing is imported for so long is measured anew. */
const keptMs = 60_000;
/** The part of what is free that may come before the database is measured again: another instance may fill it meanwhile. */
const part = 1 / 16;
/** Measuring waits for what is on its way, so it is not done for each batch, and most batches are no longer than 1 MiB. */
const leastBetween = 8 * 1024 * 1024;
const mostBetween = 64 * 1024 * 1024;

export function createImportRooms(documents: Pick<DocumentStore, 'occupied'>): ImportRooms {
  const rooms = new LRUCache<string, ReturnType<typeof createRoom>>({
    max: mostKept,
    ttl: keptMs,
    updateAgeOnGet: true,
  });
  return {
    async begin(database, demand, bytes, work) {
      const name = `${database.partnerId}/${database.db}`;
      const known = rooms.get(name);
      const room = known ?? createRoom(async () => documents.occupied(database));
      if (!known) rooms.set(name, room);
      return room.begin(demand, bytes, work);
    },
    async requireToFinish(database, { quotaBytes, replaces }, bytes) {
      const { stored } = await documents.occupied(database);
      if (stored + (replaces ? 0 : bytes) > quotaBytes) throw full();
    },
  };
}

function createRoom(measure: () => Promise<Occupied>) {
  let measured: Occupied | undefined;
  /** Bytes for which room was given since then. */
  let came = 0;
  let measuring: Promise<void> | undefined;
  const underWay = new Set<Promise<unknown>>();

  /** What is on its way has to be measured with the rest. */
  async function measureAgain(): Promise<void> {
    await Promise.allSettled(underWay);
    measured = await measure();
    came = 0;
  }

  const has = (demand: Demand, bytes: number): boolean =>
    measured !== undefined && came + bytes <= mayCome(demand, measured);

  return {
    async begin<T>(
      demand: Demand,
      bytes: number,
      work: () => Promise<T>,
    ): Promise<{ readonly done: Promise<T> }> {
      let isMeasuredForThis = false;
      for (;;) {
        if (measuring) {
          await measuring;
        } else if (has(demand, bytes)) {
          came += bytes;
          const done = work();
          const known = done.catch(() => undefined).finally(() => underWay.delete(known));
          underWay.add(known);
          return { done };
        } else if (isMeasuredForThis && came === 0) {
          throw full();
        } else {
          measuring = measureAgain().finally(() => {
            measuring = undefined;
          });
          await measuring;
          isMeasuredForThis = true;
        }
      }
    },
  };
}

/** The bytes that there is room for, at the moment of a measurement. */
function freeFor({ quotaBytes, replaces, waits }: Demand, { stored, waiting }: Occupied): number {
  if (!replaces) return quotaBytes - stored - waiting;
  if (stored > quotaBytes) return 0;
  return waits ? quotaBytes - waiting : Number.POSITIVE_INFINITY;
}

/** The bytes that may come before the next one. */
function mayCome(demand: Demand, measured: Occupied): number {
  const free = freeFor(demand, measured);
  const between = Math.min(free, demand.quotaBytes) * part;
  return Math.min(free, Math.max(leastBetween, Math.min(between, mostBetween)));
}

const full = () => new AppError('E40016', [], { messageKey: 'databaseFull' });
