import type { Store } from '@portal/service-kit';
import { describe, expect, it, vi } from 'vitest';
import type { UserDb } from '../data/db.ts';
import { createTenantTurns } from './tenant-turns.ts';

const held = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

/** A store in which everything is held, and each attempt takes ten seconds. */
function turnsOfHeld() {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const attempts: number[] = [];
  const store: Pick<Store<UserDb>, 'write'> = {
    write: async () => {
      attempts.push(now);
      now += 10_000;
      return Promise.reject(held);
    },
  };
  const turns = createTenantTurns({ direct: {} as never, store: store as Store<UserDb> });
  return { ...turns, attempts };
}

describe('When a tenant stays held', () => {
  it('then a change of it is tried for as long as a statement may take, and refused', async () => {
    const { attempts, inTurn } = turnsOfHeld();
    await expect(inTurn(1, async () => Promise.resolve())).rejects.toMatchObject({ code: 'E50301' });
    expect(attempts).toEqual([0, 10_000, 20_000, 30_000]);
  });

  it('then changes that wait behind others are refused after the same time', async () => {
    const { attempts, inTurn } = turnsOfHeld();
    const changes = await Promise.allSettled(
      [1, 2, 3].map(async () => inTurn(1, async () => Promise.resolve())),
    );
    expect(changes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(attempts).toHaveLength(4);
  });

  it('then what needs but a row of it is tried at once, and then as long', async () => {
    const { attempts, store } = turnsOfHeld();
    const change = store.write({ kind: 'partner', partnerId: 1 }, async () => Promise.resolve());
    await expect(change).rejects.toMatchObject({ code: 'E50301' });
    expect(attempts).toEqual([0, 10_000, 20_000, 30_000, 40_000]);
  });
});
