import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '@portal/kernel';
import type { Claims } from './domain/claims.ts';
import { Refusal } from './domain/refusal.ts';
import type { Logout, LogoutMessage, LogoutToRead, Outline } from './read-logout.ts';
import type { Answered, Question } from './read-message.ts';
import type { ResponseToRead } from './read-response.ts';

/**
 * Reads messages of identity providers in threads of their own: how long one takes is for its writer to say, and anybody may send
 * one. Each throws `Refusal` for what is not accepted, and AppError `E50301` while too many wait.
 */
export interface SamlReader {
  readResponse(response: ResponseToRead): Promise<Claims>;
  readLogout(logout: LogoutToRead): Promise<Logout>;
  /** What a message says of itself: nothing is proved by it. */
  outlineOf(message: LogoutMessage): Promise<Outline>;
  close(): Promise<void>;
}

export interface ReaderLimits {
  readonly threads: number;
  /** How long one message may take; then its thread ends. */
  readonly withinMs: number;
  readonly waiting: number;
}

const usual: ReaderLimits = { threads: Math.min(4, availableParallelism()), withinMs: 10_000, waiting: 500 };
const megabytes = 256;
const thread = new URL('./read-message.worker.ts', import.meta.url);

interface Waiting {
  readonly question: Question;
  readonly resolve: (answer: Answered) => void;
}

export function createSamlReader(limits: ReaderLimits = usual): SamlReader {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: Waiting[] = [];

  function start(): Worker {
    const worker = new Worker(thread, { resourceLimits: { maxOldGenerationSizeMb: megabytes } });
    worker.unref();
    all.add(worker);
    worker.on('error', () => {});
    worker.once('exit', () => {
      all.delete(worker);
      const place = idle.indexOf(worker);
      if (place >= 0) idle.splice(place, 1);
    });
    return worker;
  }

  function ask(question: Question): Promise<Answered> {
    return new Promise((resolve, reject) => {
      if (waiting.length >= limits.waiting) {
        reject(new AppError('E50301'));
        return;
      }
      waiting.push({ question, resolve });
      next();
    });
  }

  function next(): void {
    if (waiting.length === 0) return;
    const worker = idle.pop() ?? (all.size < limits.threads ? start() : undefined);
    const one = worker && waiting.shift();
    if (one) read(worker, one);
  }

  function read(worker: Worker, { question, resolve }: Waiting): void {
    const end = (answer: Answered, isUsable: boolean) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      if (isUsable) idle.push(worker);
      else {
        all.delete(worker);
        void worker.terminate();
      }
      resolve(answer);
      next();
    };
    const onMessage = (answer: Answered) => end(answer, true);
    const onExit = () => end({ kind: 'refused', reason: 'malformed', detail: 'its thread ended' }, false);
    const timer = setTimeout(
      () => end({ kind: 'refused', reason: 'tooSlow', detail: '' }, false),
      limits.withinMs,
    );
    worker.on('message', onMessage).on('exit', onExit);
    worker.postMessage(question);
  }

  async function value(question: Question): Promise<unknown> {
    const answer = await ask(question);
    if (answer.kind === 'refused') throw new Refusal(answer.reason, answer.detail);
    return answer.value;
  }

  return {
    // The thread answers each kind of question with its kind of value.
    readResponse: async (response) => (await value({ kind: 'response', response })) as Claims,
    readLogout: async (logout) => (await value({ kind: 'logout', logout })) as Logout,
    outlineOf: async (message) => (await value({ kind: 'outline', message })) as Outline,
    async close() {
      await Promise.all([...all].map(async (worker) => worker.terminate()));
    },
  };
}
