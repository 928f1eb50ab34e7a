import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CoveredIds } from '../src/covered-ids.ts';

interface Transaction {
  readonly number: number;
  readonly ids: number[];
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const) }),
  fc.record({ kind: fc.constant('append' as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant('commit' as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant('read' as const), atMost: fc.integer({ min: 1, max: 4 }) }),
);

/** A database that numbers transactions as they begin to write and ids as they are asked for, and a reader of what is committed. */
class Model {
  readonly covered = new CoveredIds();
  readonly taken: number[] = [];
  #running: Transaction[] = [];
  #committed: number[] = [];
  #lastNumber = 0;
  #lastId = 0;

  begin(): void {
    this.#running.push({ number: ++this.#lastNumber, ids: [] });
  }

  append(which: number): void {
    this.#running[which % this.#running.length]?.ids.push(++this.#lastId);
  }

  commit(which: number): void {
    const [over] = this.#running.splice(which % Math.max(1, this.#running.length), 1);
    for (const id of over?.ids ?? []) {
      expect(id).toBeGreaterThan(Number(this.covered.upTo));
      this.#committed.push(id);
    }
  }

  commitAll(): void {
    while (this.#running.length > 0) this.commit(0);
  }

  read(atMost: number): void {
    const upTo = Number(this.covered.upTo);
    const found = this.#committed
      .filter((id) => id > upTo && !this.taken.includes(id))
      .toSorted((a, b) => a - b)
      .slice(0, atMost);
    const oldest = Math.min(this.#lastNumber + 1, ...this.#running.map(({ number }) => number));
    const own = ++this.#lastNumber;
    this.taken.push(...found);
    const lastId = found.at(-1);
    if (lastId !== undefined)
      this.covered.add({ lastId: String(lastId), oldest: String(oldest), own: String(own) });
  }

  get missing(): number[] {
    return this.#committed.filter((id) => !this.taken.includes(id));
  }
}

describe('The ids that need no look any more', () => {
  it('never have one that is committed later, or that was not read', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const model = new Model();
        for (const each of steps) {
          if (each.kind === 'begin') model.begin();
          else if (each.kind === 'append') model.append(each.which);
          else if (each.kind === 'commit') model.commit(each.which);
          else model.read(each.atMost);
        }
        model.commitAll();
        model.read(Number.POSITIVE_INFINITY);
        expect(model.missing).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('follow what is read while all that began before comes to its end', () => {
    const model = new Model();
    for (let round = 0; round < 10; round += 1) {
      model.begin();
      model.append(0);
      model.commit(0);
      model.read(1);
    }
    expect(Number(model.covered.upTo)).toBeGreaterThanOrEqual(8);
    model.covered.reset();
    expect(model.covered.upTo).toBe('0');
  });

  it('stay where they are while one is running that began before', () => {
    const model = new Model();
    model.begin();
    model.append(0);
    for (let round = 0; round < 10; round += 1) {
      model.begin();
      model.append(1);
      model.commit(1);
      model.read(1);
    }
    expect(model.covered.upTo).toBe('0');
  });
});
