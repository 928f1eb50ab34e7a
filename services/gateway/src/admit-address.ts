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
 * Lets a signed address be used for as long as the session lasts in which it was given, and what it was given for holds.
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

  /** What is refused is asked again the next time: it may be given back at any moment. */
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
    const question = { partnerId, ...use };
    // Whoever writes is asked about each time: what arrives after the end of an upload would be thrown away.
    await (use.purpose === 'upload' ? ask(question) : remembered(question));
  };
}
