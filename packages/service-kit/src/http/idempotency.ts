import { createHash } from 'node:crypto';
import { limits } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import type { Caller } from '../auth/caller.ts';

export interface KeyedRequest {
  readonly key: string;
  readonly caller: Caller;
  readonly operation: string;
  readonly target: string;
  readonly body: unknown;
}

export interface IdempotentReplies {
  /**
   * Runs `work` for the first request with this key and gives every repeat within 24 hours the same answer. A key that
   * comes with another body, or while the first request still runs: `E40001`. A request that fails leaves the key free.
   */
  once(request: KeyedRequest, work: () => Promise<unknown>): Promise<unknown>;
  /** Forgets answers older than 24 hours. */
  purge(): Promise<void>;
}

interface Row {
  readonly body_hash: string;
  readonly reply: unknown;
  readonly done: boolean;
}

const longestKey = 255;

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

export function createIdempotentReplies(options: { sql: SqlExecutor; clock: Clock }): IdempotentReplies {
  const { clock, sql } = options;

  return {
    async once({ key, caller, operation, target, body }, work) {
      if (key === '' || key.length > longestKey) throw new AppError('E40001');
      const owner = caller.kind === 'admin' ? `admin:${caller.adminId}` : `account:${caller.accountId}`;
      const id = hash(JSON.stringify([owner, operation, target, key]));
      const bodyHash = hash(JSON.stringify(body ?? null));
      const now = clock.now().toISOString();
      const oldest = new Date(clock.now().getTime() - limits.idempotencyRetention).toISOString();
      // A claim that was never answered belongs to a process that died; after the request time-out it is free again.
      const abandoned = new Date(clock.now().getTime() - limits.requestTimeout).toISOString();
      const claimed = await sql.$executeRawUnsafe(
        `INSERT INTO messaging.idempotent_reply (id, body_hash, created_at) VALUES ($1, $2, $3::timestamptz)
         ON CONFLICT (id) DO UPDATE SET body_hash = $2, created_at = $3::timestamptz, reply = NULL, done = false
         WHERE idempotent_reply.created_at < $4::timestamptz
            OR (NOT idempotent_reply.done AND idempotent_reply.created_at < $5::timestamptz)`,
        id,
        bodyHash,
        now,
        oldest,
        abandoned,
      );
      if (claimed === 0) return earlierReply(id, bodyHash);
      try {
        const reply = await work();
        await sql.$executeRawUnsafe(
          'UPDATE messaging.idempotent_reply SET reply = $2::jsonb, done = true WHERE id = $1',
          id,
          JSON.stringify(reply),
        );
        return reply;
      } catch (error) {
        await sql.$executeRawUnsafe('DELETE FROM messaging.idempotent_reply WHERE id = $1', id);
        throw error;
      }
    },

    async purge() {
      const oldest = new Date(clock.now().getTime() - limits.idempotencyRetention).toISOString();
      await sql.$executeRawUnsafe(
        'DELETE FROM messaging.idempotent_reply WHERE created_at < $1::timestamptz',
        oldest,
      );
    },
  };

  async function earlierReply(id: string, bodyHash: string): Promise<unknown> {
    const [row] = await sql.$queryRawUnsafe<Row[]>(
      'SELECT body_hash, reply, done FROM messaging.idempotent_reply WHERE id = $1',
      id,
    );
    if (!row || row.body_hash !== bodyHash) {
      throw new AppError('E40001', [{ field: 'idempotencyKey', message: 'idempotencyKeyReused' }]);
    }
    if (!row.done) throw new AppError('E40001');
    return row.reply;
  }
}
