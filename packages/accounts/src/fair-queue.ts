import { AppError, changeCount } from '@portal/kernel';

/** The caller for whom a piece of work waits. */
export interface Asker {
  /** The account as the caller names it; it may not exist. */
  readonly account: string;
  /** Where the call comes from. */
  readonly address: string;
}

interface Task {
  readonly asker: Asker;
  start(): void;
  refuse(): void;
}

/** The waiting work of one address, by account; the first account has the next turn. */
type Lane = Map<string, Task[]>;

/** After so many foreground turns in a row, the background gets one. */
const turnsBeforeBackground = 8;

/**
 * Runs a limited number of tasks in parallel. Callers take turns by address, and within an address by account, so a caller
 * with many tasks only delays itself. At most `ofAccount` tasks of one account wait, at most `waiting` in all. When the
 * queue is full, a new task replaces the last one of the address with the most; refused tasks get `E50301`.
 * Background work runs when nothing else waits, and otherwise in some turns. It is never refused.
 */
export class FairQueue {
  readonly #limits: { readonly atOnce: number; readonly ofAccount: number; readonly waiting: number };
  readonly #lanes = new Map<string, Lane>();
  readonly #ofAccount = new Map<string, number>();
  readonly #background: (() => void)[] = [];
  #running = 0;
  #waiting = 0;
  #turns = 0;

  constructor(limits: { atOnce: number; ofAccount: number; waiting: number }) {
    this.#limits = limits;
  }

  run<T>(asker: Asker | 'background', work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = () => {
        void work()
          .then(resolve, reject)
          .finally(() => {
            this.#running -= 1;
            this.#fill();
          });
      };
      if (asker === 'background') this.#background.push(start);
      else this.#admit({ asker, start, refuse: () => reject(new AppError('E50301')) });
      this.#fill();
    });
  }

  #admit(task: Task): void {
    const { atOnce, ofAccount, waiting } = this.#limits;
    const { account, address } = task.asker;
    if (this.#running >= atOnce) {
      if ((this.#ofAccount.get(account) ?? 0) >= ofAccount) return task.refuse();
      if (this.#waiting >= waiting && !this.#makeRoomFor(address)) return task.refuse();
    }
    const lane = this.#lanes.get(address) ?? new Map<string, Task[]>();
    this.#lanes.set(address, lane);
    lane.set(account, [...(lane.get(account) ?? []), task]);
    this.#count(account, 1);
  }

  /** Refuses the last task of the address with the most tasks, if it has more than this address. */
  #makeRoomFor(address: string): boolean {
    let [most, fullest] = [sizeOf(this.#lanes.get(address)) + 1, ''];
    for (const [key, lane] of this.#lanes) {
      if (sizeOf(lane) > most) [most, fullest] = [sizeOf(lane), key];
    }
    const lane = this.#lanes.get(fullest);
    const [account, tasks] = [...(lane ?? [])].at(-1) ?? [];
    if (!lane || account === undefined || !tasks) return false;
    const last = tasks.pop();
    if (tasks.length === 0) lane.delete(account);
    this.#count(account, -1);
    last?.refuse();
    return true;
  }

  #fill(): void {
    while (this.#running < this.#limits.atOnce) {
      const start = this.#next();
      if (!start) return;
      this.#running += 1;
      start();
    }
  }

  #next(): (() => void) | undefined {
    const isTheirTurn = this.#waiting === 0 || this.#turns >= turnsBeforeBackground;
    if (isTheirTurn) {
      this.#turns = 0;
      const start = this.#background.shift();
      if (start) return start;
    }
    const [address, lane] = first(this.#lanes) ?? [];
    if (address === undefined || !lane) return undefined;
    const [account, tasks] = first(lane) ?? [];
    const task = tasks?.shift();
    if (account === undefined || !tasks || !task) throw new Error('An address that nobody waits of');
    // After its turn, an address goes to the end of the queue.
    lane.delete(account);
    if (tasks.length > 0) lane.set(account, tasks);
    this.#lanes.delete(address);
    if (lane.size > 0) this.#lanes.set(address, lane);
    this.#count(account, -1);
    this.#turns += 1;
    return task.start;
  }

  #count(account: string, change: 1 | -1): void {
    changeCount(this.#ofAccount, account, change);
    this.#waiting += change;
  }
}

function first<K, V>(map: ReadonlyMap<K, V>): [K, V] | undefined {
  for (const entry of map) return entry;
  return undefined;
}

function sizeOf(lane: Lane | undefined): number {
  let size = 0;
  for (const tasks of lane?.values() ?? []) size += tasks.length;
  return size;
}
