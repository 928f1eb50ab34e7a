import { describe, expect, it } from 'vitest';
import { type Asker, FairQueue } from '../src/fair-queue.ts';

const settled = async () => new Promise((resolve) => setImmediate(resolve));

/** A queue in which each piece of work ends by the word. */
function stage(limits: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  const queue = new FairQueue({ atOnce: 1, ofAccount: 3, waiting: 6, ...limits });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    refused,
    ask(name: string, asker: Asker | 'background') {
      const work = async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      };
      queue.run(asker, work).catch((error: { code: string }) => refused.push(`${name} ${error.code}`));
    },
    async end(count = 1) {
      for (let i = 0; i < count; i++) {
        ends.shift()?.();
        await settled();
      }
    },
  };
}
const by = (account: string, address = account): Asker => ({ account, address });

describe('When many ask at once', () => {
  it('then who asks for much waits behind themselves', async () => {
    const { ask, begun, end } = stage();
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name, by('a'));
    ask('b1', by('b'));
    ask('c1', by('c'));
    await end(5);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  it('then an address with many accounts has one turn as any other, and its accounts take turns', async () => {
    const { ask, begun, end } = stage();
    for (const name of ['x1', 'x2', 'y1', 'z1']) ask(name, by(name[0] ?? '', 'one'));
    ask('w1', by('w', 'other'));
    await end(4);
    expect(begun).toEqual(['x1', 'x2', 'w1', 'y1', 'z1']);
  });

  it('then of one account a few wait, from whatever addresses, and the rest are refused at once', async () => {
    const { ask, begun, end, refused } = stage();
    for (let i = 0; i < 60; i++) ask(`a${i}`, by('a', `address ${i}`));
    ask('b', by('b'));
    await settled();
    expect(refused).toHaveLength(56);
    expect(new Set(refused.map((told) => told.split(' ')[1]))).toEqual(new Set(['E50301']));
    await end(4);
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3', 'b']);
  });

  it('then, where so many wait, the last of the address with most makes room', async () => {
    const { ask, begun, end, refused } = stage();
    for (let i = 0; i < 8; i++) ask(`a${i}`, by(`account ${i}`, 'greedy'));
    await settled();
    expect(refused).toEqual(['a7 E50301']);
    ask('b', by('b'));
    await settled();
    expect(refused).toEqual(['a7 E50301', 'a6 E50301']);
    await end(6);
    expect(begun).toEqual(['a0', 'a1', 'b', 'a2', 'a3', 'a4', 'a5']);
    // Room again.
    ask('c', by('c'));
    await end();
    expect(begun.at(-1)).toBe('c');
  });

  it('then what failed makes room as well', async () => {
    const queue = new FairQueue({ atOnce: 1, ofAccount: 1, waiting: 1 });
    await expect(queue.run(by('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run(by('a'), () => Promise.resolve('yes'))).toBe('yes');
  });
});

describe('Work in the background', () => {
  it('runs behind those who wait, and is never refused', async () => {
    const { ask, begun, end, refused } = stage();
    for (let i = 0; i < 100; i++) ask(`background ${i}`, 'background');
    ask('a', by('a'));
    ask('b', by('b'));
    await end(3);
    expect(begun).toEqual(['background 0', 'a', 'b', 'background 1']);
    await end(99);
    expect(begun).toHaveLength(102);
    expect(refused).toEqual([]);
  });

  it('gets a turn now and then where somebody always waits', async () => {
    const { ask, begun, end } = stage({ waiting: 100 });
    for (let i = 0; i < 40; i++) ask('foreground', by(`account ${i}`));
    for (let i = 0; i < 4; i++) ask('background', 'background');
    await end(36);
    expect(begun.filter((name) => name === 'background')).toHaveLength(4);
    expect(begun.slice(0, 8)).not.toContain('background');
  });
});
