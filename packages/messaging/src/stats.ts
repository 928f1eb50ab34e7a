import type { Clock } from '@portal/kernel';
import type { SqlExecutor } from './sql-executor.ts';

/** How far behind a service is. Needs only the service's database, not the service. */

type Reader = Pick<SqlExecutor, '$queryRawUnsafe'>;

export interface OutboxStats {
  /** Events not yet published. */
  readonly depth: number;
  /** Age of the oldest of them; 0 when there is none. */
  readonly oldestAgeMs: number;
}

export interface HandlerStats {
  /** Events still to be handled, waiting retries included. */
  readonly live: number;
  readonly dead: number;
  /** Time since the oldest live event was sent; 0 when there is none. */
  readonly oldestAgeMs: number;
}

export async function readOutboxStats(database: Reader, clock: Clock): Promise<OutboxStats> {
  const [row] = await database.$queryRawUnsafe<{ depth: number; oldest: Date | null }[]>(
    'SELECT count(*)::integer AS depth, min(created_at) AS oldest FROM messaging.outbox',
  );
  return { depth: row?.depth ?? 0, oldestAgeMs: ageOf(row?.oldest, clock) };
}

/** For each of `handlers`, and for any other handler with unhandled events. */
export async function readInboxStats(
  database: Reader,
  clock: Clock,
  handlers: readonly string[],
): Promise<Readonly<Record<string, HandlerStats>>> {
  const rows = await database.$queryRawUnsafe<
    { handler: string; live: number; dead: number; oldest: Date | null }[]
  >(
    `SELECT handler,
       count(*) FILTER (WHERE status = 'live')::integer AS live,
       count(*) FILTER (WHERE status = 'dead')::integer AS dead,
       min((envelope ->> 'time')::timestamptz) FILTER (WHERE status = 'live') AS oldest
     FROM messaging.inbox WHERE status IN ('live', 'dead') GROUP BY handler ORDER BY handler`,
  );
  return Object.fromEntries([
    ...handlers.map((handler) => [handler, { live: 0, dead: 0, oldestAgeMs: 0 }] as const),
    ...rows.map(
      ({ handler, live, dead, oldest }) =>
        [handler, { live, dead, oldestAgeMs: ageOf(oldest, clock) }] as const,
    ),
  ]);
}

function ageOf(time: Date | null | undefined, clock: Clock): number {
  return time ? Math.max(0, clock.now().getTime() - time.getTime()) : 0;
}
