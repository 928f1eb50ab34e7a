import type { RouteRequest } from '@portal/contracts';
import type { checkAddress } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import type { Revocations } from '@portal/service-kit';
import { type StorageGrant, tenantOf } from '@portal/storage';
import { LRUCache } from 'lru-cache';

type Question = RouteRequest<typeof checkAddress>['body'];

/** So long, in milliseconds, an answer serves: a player asks for many ranges of a file in a row. */
const answerMs = 1_000;
const memoryBytes = 8 * 1024 * 1024;
/** Of an answer beside its key, rounded up. */
const entryBytes = 400;

/**
 * Allows a signed address as long as the session and the reason for which it was issued last.
 * Throws `E40301` when the session has ended, `E40405` when the file or the upload is no longer theirs, `E50301` when
 * nobody can tell.
 */
export function createAddressCheck(options: {
  readonly revocations: Pick<Revocations, 'has' | 'loaded'>;
  /** Asks the file service. */
  readonly ask: (question: Question) => Promise<unknown>;
}): (grant: StorageGrant) => Promise<void> {
  const { revocations } = options;
  const answers = new LRUCache<string, Promise<void>>({
    maxSize: memoryBytes,
    sizeCalculation: (_, key) => entryBytes + key.length * 2,
    ttl: answerMs,
  });

  /** Whatever is no answer, as from an instance that does not know the question yet, lets the client try again. */
  const ask = async (question: Question): Promise<void> => {
    try {
      await options.ask(question);
    } catch (error) {
      if (error instanceof AppError && error.code === 'E40405') throw error;
      throw new AppError('E50301', [], { cause: error });
    }
  };

  /** A refusal is not remembered, because the right may come back at any moment. */
  function remembered(question: Question): Promise<void> {
    const key = JSON.stringify(question);
    const known = answers.get(key);
    if (known) return known;
    const answer = ask(question);
    answers.set(key, answer);
    answer.catch(() => {
      if (answers.peek(key) === answer) answers.delete(key);
    });
    return answer;
  }

  return async (grant) => {
    const { sessionId, ...use } = grant.use;
    await revocations.loaded();
    if (revocations.has(sessionId)) throw new AppError('E40301');
    if (use.purpose === 'export') return;
    const partnerId = tenantOf(grant.action === 'part' ? grant.upload.key : grant.key);
    if (partnerId === undefined) throw new AppError('E40301');
    // An address of bytes that are not the tenant's own says whose it is.
    const question: Question = { partnerId, ...use };
    // Writes are checked every time, because bytes that arrive after the end of an upload would be discarded.
    await (use.purpose === 'upload' ? ask(question) : remembered(question));
  };
}
