import type { Clock } from '@portal/kernel';
import type { EventEnvelope } from './event.ts';
import type { SqlExecutor } from './sql-executor.ts';

export interface DeadLetter {
  readonly handler: string;
  readonly event: EventEnvelope;
  readonly attempts: number;
  /** What the last try failed with. */
  readonly error: string;
  readonly diedAt: Date;
}

/** The events that a service's handlers gave up on. Needs only the service's database, not the service. */
export interface DeadLetters {
  /** The oldest first, at most `limit` (100 by default). */
  list(filter?: { readonly handler?: string; readonly limit?: number }): Promise<readonly DeadLetter[]>;
  /** Gives them all their tries again, at once. @returns how many */
  replay(which: { readonly eventId: string } | { readonly handler: string }): Promise<number>;
}

export function createDeadLetters(
  database: SqlExecutor,
  clock: Clock,
  onReplay: () => void = () => undefined,
): DeadLetters {
  return {
    list: ({ handler, limit = 100 } = {}) =>
      database.$queryRawUnsafe<DeadLetter[]>(
        `SELECT handler, envelope AS event, attempts, error, settled_at AS "diedAt"
         FROM messaging.inbox
         WHERE status = 'dead' AND ($1::text IS NULL OR handler = $1::text)
         ORDER BY seq LIMIT $2::integer`,
        handler ?? null,
        limit,
      ),
    async replay(which) {
      const replayed = await database.$executeRawUnsafe(
        `UPDATE messaging.inbox
         SET status = 'live', attempts = 0, available_at = $1::timestamptz, settled_at = NULL
         WHERE status = 'dead' AND ${'eventId' in which ? 'event_id = $2::uuid' : 'handler = $2::text'}`,
        clock.now().toISOString(),
        'eventId' in which ? which.eventId : which.handler,
      );
      onReplay();
      return replayed;
    },
  };
}
