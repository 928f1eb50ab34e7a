import { expect, test } from 'vitest';
import { refuseStrayDrops } from './stray-drops.ts';

/** Of `types`, onto the page; where something `takes` it, that has said so. */
function drag(type: string, { takes = false, types }: { takes?: boolean; types: readonly string[] }) {
  const dataTransfer = { types, dropEffect: 'copy' };
  const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer });
  const take = () => event.preventDefault();
  if (takes) document.body.addEventListener(type, take, { once: true });
  document.body.dispatchEvent(event);
  return { isPrevented: event.defaultPrevented, effect: dataTransfer.dropEffect };
}

test('A file that nothing takes does not open in the place of the page; what else is dragged goes its way', () => {
  refuseStrayDrops();
  for (const type of ['dragover', 'drop']) {
    expect(drag(type, { types: ['Files'] })).toEqual({ isPrevented: true, effect: 'none' });
    expect(drag(type, { types: ['Files'], takes: true })).toEqual({ isPrevented: true, effect: 'copy' });
    expect(drag(type, { types: ['text/plain'] })).toEqual({ isPrevented: false, effect: 'copy' });
  }
});
