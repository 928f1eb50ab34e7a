import type { Store } from '@portal/service-kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserDb } from '../data/db.ts';
import { createTenantTurns } from './tenant-turns.ts';

const held = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

/** A store in which everything is held, and each attempt takes a second. */
function turnsOfHeld() {
  let attempts = 0;
  const store: Pick<Store<UserDb>, 'write'> = {
    write: async () => {
      attempts += 1;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      throw held;
    },
  };
  const turns = createTenantTurns({ direct: {} as never, store: store as Store<UserDb> });
  return { ...turns, attempted: () => attempts };
}

/** The places of those that were refused, in the order in which they were. */
function refusalsOf(changes: readonly Promise<unknown>[]): number[] {
  const refused: number[] = [];
  for (const [place, change] of changes.entries()) {
    change.catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'E50301' });
      refused.push(place);
    });
  }
  return refused;
}

const nothing = async () => Promise.resolve();

describe('When a tenant stays held', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('then a change of it is tried for eight seconds, and refused', async () => {
    const { attempted, inTurn } = turnsOfHeld();
    const refused = refusalsOf([inTurn(1, nothing)]);
    await vi.advanceTimersByTimeAsync(7_000);
    expect(refused).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(refused).toEqual([0]);
    expect(attempted()).toBeLessThan(10);
  });

  it('then changes that wait behind others are refused after the same time', async () => {
    const { attempted, inTurn } = turnsOfHeld();
    const refused = refusalsOf([1, 2, 3].map(async () => inTurn(1, nothing)));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(refused.toSorted()).toEqual([0, 1, 2]);
    const before = attempted();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempted()).toBe(before);
  });

  it('then who comes when too many wait is refused, and nobody who came before', async () => {
    const { inTurn } = turnsOfHeld();
    const refused = refusalsOf(Array.from({ length: 202 }, async () => inTurn(1, nothing)));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(refused).toEqual([201]);
  });

  it('then what needs but a row of it is tried at once, and then as long', async () => {
    const { store } = turnsOfHeld();
    const refused = refusalsOf([store.write({ kind: 'partner', partnerId: 1 }, nothing)]);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(refused).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(refused).toEqual([0]);
  });
});

describe('When a change takes long', () => {
  it('then those of the tenant that wait behind it are refused in time, and it is not', async () => {
    vi.useFakeTimers();
    const store: Pick<Store<UserDb>, 'write'> = {
      write: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20_000));
        return undefined as never;
      },
    };
    const { inTurn } = createTenantTurns({ direct: {} as never, store: store as Store<UserDb> });
    const changes = [inTurn(1, nothing), inTurn(1, nothing)];
    const refused = refusalsOf(changes);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(refused).toEqual([1]);
    await vi.advanceTimersByTimeAsync(20_000);
    await expect(changes[0]).resolves.toBeUndefined();
    vi.useRealTimers();
  });
});
