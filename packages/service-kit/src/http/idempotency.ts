import { createHash } from 'node:crypto';
import { limits, type RouteContract, snakeKey } from '@portal/contracts';
import { AppError, type Clock, type Logger } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import type { AnyCaller } from '../auth/caller.ts';
import type { WrittenAnswer } from './send-answer.ts';

export interface KeyedRequest {
  readonly key: string;
  readonly caller: AnyCaller | undefined;
  /** The client's address, which takes the place of the caller if there is none. */
  readonly address: string;
  readonly contract: RouteContract;
  readonly target: string;
  readonly body: unknown;
}

export interface IdempotentReplies {
  /**
   * Runs `work` for the first request with this key and gives every repeat within 24 hours the same answer. A key that
   * comes with another body, or while the first request still runs: `E40001`. A request that fails leaves the key free.
   */
  once(request: KeyedRequest, work: () => Promise<WrittenAnswer>): Promise<WrittenAnswer>;
  /** Forgets answers older than 24 hours. */
  purge(): Promise<void>;
}

interface Row {
  readonly body_hash: string;
  readonly reply: unknown;
  readonly status: number | null;
  readonly version: string | null;
  readonly location: string | null;
  readonly done: boolean;
}

const longestKey = 255;

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

function ownerOf({ address, caller }: Pick<KeyedRequest, 'address' | 'caller'>): string {
  switch (caller?.kind) {
    case 'admin':
      return `admin:${caller.adminId}`;
    case 'tenant':
      return `account:${caller.accountId}`;
    case 'tenantKey':
      return `key:${caller.partnerId}`;
    default:
      return `address:${address}`;
  }
}

/** What is shown once is nowhere but in the first answer. */
function storedBody(body: unknown, { shownOnce }: RouteContract): unknown {
  if (shownOnce.length === 0 || typeof body !== 'object' || body === null) return body;
  const hidden = new Set(shownOnce.map(snakeKey));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !hidden.has(name)));
}

export function createIdempotentReplies(options: {
  sql: SqlExecutor;
  clock: Clock;
  logger: Logger;
}): IdempotentReplies {
  const { clock, logger, sql } = options;

  return {
    async once({ body, contract, key, target, ...from }, work) {
      if (key === '' || key.length > longestKey) throw new AppError('E40001');
      const id = hash(JSON.stringify([ownerOf(from), contract.id, target, key]));
      // With the key, of which nothing but a hash is stored: a body may hold a password.
      const bodyHash = hash(JSON.stringify([id, key, body ?? null]));
      const now = clock.now().toISOString();
      const oldest = new Date(clock.now().getTime() - limits.idempotencyRetention).toISOString();
      // A claim without an answer belongs to a process that died; after the request time-out it is released.
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
      if (claimed === 0) return earlierReply(id, bodyHash, contract);
      // A claim that another request has taken over is of another time, and no longer ours.
      const answer = await work().catch(async (error: unknown) => {
        await sql.$executeRawUnsafe(
          'DELETE FROM messaging.idempotent_reply WHERE id = $1 AND created_at = $2::timestamptz',
          id,
          now,
        );
        throw error;
      });
      try {
        await sql.$executeRawUnsafe(
          `UPDATE messaging.idempotent_reply
           SET reply = $3::jsonb, status = $4::int, version = $5, location = $6, done = true
           WHERE id = $1 AND created_at = $2::timestamptz`,
          id,
          now,
          JSON.stringify(storedBody(answer.body, contract)) ?? null,
          answer.status,
          answer.version,
          answer.location ?? null,
        );
      } catch (error) {
        // What was done is done: the claim stays, so that a repeat does not do it again.
        logger.error({ err: error, route: contract.id }, 'Answer not stored for repeats');
      }
      return answer;
    },

    async purge() {
      const oldest = new Date(clock.now().getTime() - limits.idempotencyRetention).toISOString();
      await sql.$executeRawUnsafe(
        'DELETE FROM messaging.idempotent_reply WHERE created_at < $1::timestamptz',
        oldest,
      );
    },
  };

  async function earlierReply(
    id: string,
    bodyHash: string,
    { status }: RouteContract,
  ): Promise<WrittenAnswer> {
    const [row] = await sql.$queryRawUnsafe<Row[]>(
      'SELECT body_hash, reply, status, version, location, done FROM messaging.idempotent_reply WHERE id = $1',
      id,
    );
    if (!row || row.body_hash !== bodyHash) {
      throw new AppError('E40001', [{ field: 'idempotencyKey', message: 'idempotencyKeyReused' }]);
    }
    if (!row.done) throw new AppError('E40001');
    return {
      status: row.status ?? status,
      version: row.version,
      ...(row.location !== null && { location: row.location }),
      body: row.reply ?? undefined,
    };
  }
}
