import { AppError } from '@portal/kernel';

/** Who waits for a piece of work. */
export interface Asker {
  /** The account that it is about, as the caller names it: whether there is such a one is not known yet. */
  readonly account: string;
  /** Where the call comes from. */
  readonly address: string;
}

interface Task {
  readonly asker: Asker;
  start(): void;
  refuse(): void;
}

/** What waits of one address, by account: the next turn is the first account's. */
type Lane = Map<string, Task[]>;

/** After so many turns in a row of those who wait for an answer, one is of the background. */
const turnsBeforeBackground = 8;

/**
 * Runs a few pieces of work at once. Who waits for an answer gets a turn in the order of addresses, and within an address
 * of accounts: whoever asks for much waits behind themselves. Of one account `ofAccount` wait at most and `waiting` of all.
 * Who comes when so many wait takes the place of the last of the address with most; the refused get `E50301`.
 * Work in the background runs when nobody waits, and now and then when somebody does. It is never refused.
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

  /** Refuses what came last from the address with most, if that is more than this one has. */
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
    // Whoever had a turn is the last of those who wait.
    lane.delete(account);
    if (tasks.length > 0) lane.set(account, tasks);
    this.#lanes.delete(address);
    if (lane.size > 0) this.#lanes.set(address, lane);
    this.#count(account, -1);
    this.#turns += 1;
    return task.start;
  }

  #count(account: string, change: 1 | -1): void {
    const count = (this.#ofAccount.get(account) ?? 0) + change;
    if (count === 0) this.#ofAccount.delete(account);
    else this.#ofAccount.set(account, count);
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
