interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Calls that come at the same moment, or while others are under way, go to the database together: a statement costs much, and an
 * item more in it little. A call that comes alone goes at once. Its statement begins after it came, so that it sees all that was
 * there then.
 */
export function together<Item, Result>({
  atOnce,
  most,
  nameOf,
  run,
}: {
  /** Items of one statement. */
  readonly most: number;
  /** Statements at the same time. */
  readonly atOnce: number;
  /** Of items with the same name one goes after the other, and names take turns. */
  readonly nameOf?: (item: Item) => string;
  /** Answers each item, in their order; an error is that of all. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
}): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const named = new Set<string>();
  let underWay = 0;
  let isStarting = false;

  /** Once this round of the event loop has brought what there is. */
  function startSoon(): void {
    if (isStarting || underWay === atOnce || waiting.length === 0) return;
    isStarting = true;
    setImmediate(() => {
      isStarting = false;
      while (underWay < atOnce) {
        const batch = take();
        if (batch.length === 0) return;
        underWay += 1;
        void send(batch);
      }
    });
  }

  /** Others come before what is left of the names that have their turn. */
  function take(): readonly Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const next: Waiting<Item, Result>[] = [];
    const afterThem: Waiting<Item, Result>[] = [];
    for (const one of waiting) {
      const name = nameOf?.(one.item);
      if (name !== undefined && named.has(name)) afterThem.push(one);
      else if (batch.length === most) next.push(one);
      else {
        batch.push(one);
        if (name !== undefined) named.add(name);
      }
    }
    waiting = [...next, ...afterThem];
    return batch;
  }

  async function send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [place, { resolve }] of batch.entries()) resolve(results[place] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay -= 1;
      if (nameOf) for (const { item } of batch) named.delete(nameOf(item));
      startSoon();
    }
  }

  return async (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      startSoon();
    });
}
