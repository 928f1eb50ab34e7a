import { createLogger } from '@portal/kernel';
import { describe, expect, it } from 'vitest';
import { followSignOuts } from './settled-sign-outs.ts';

async function following() {
  let tell = (_: { settlementId: string; eventIds: string[] }) => {};
  const settled = await followSignOuts({
    logger: createLogger({ level: 'silent' }),
    subscribe: async (event, onData) => {
      tell = (data) => onData(event.data.parse(data));
    },
  });
  return { settled, tell: (...eventIds: string[]) => tell({ settlementId: 'one', eventIds }) };
}

describe('Whoever waits for sessions to end', () => {
  it('goes on when all are told of, and at once where they were before', async () => {
    const { settled, tell } = await following();
    tell('a');
    await settled(['a']);
    let isOver = false;
    const both = settled(['a', 'b', 'c']).then(() => {
      isOver = true;
    });
    tell('b');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isOver).toBe(false);
    tell('c', 'd');
    await both;
  });

  it('goes on after a while where nobody tells', async () => {
    const { settled } = await following();
    const begun = performance.now();
    await settled(['a']);
    expect(performance.now() - begun).toBeGreaterThan(1_900);
  });
});
