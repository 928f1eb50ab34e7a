import type { FileState, FleetNumbers } from './numbers.ts';

const barWidth = 24;
const number = new Intl.NumberFormat('en');
const show = (value: number) => number.format(Math.round(value));

/** What a fleet is at, in a few lines; `before` and `seconds` tell how much of it is of the last moment. */
export function summaryOf(
  now: FleetNumbers,
  {
    before,
    devices,
    seconds,
  }: { readonly devices: number; readonly before: FleetNumbers; readonly seconds: number },
): string[] {
  const rate = (name: 'bytes' | 'downloads' | 'looks' | 'receipts') =>
    (now[name] - before[name]) / Math.max(seconds, 0.001);
  const lines = [
    `${show(now.online)} online · ${show(now.signedIn - now.online)} offline · ${show(devices - now.signedIn)} not signed in yet`,
    `${show(rate('looks'))} looks/s · ${show(rate('downloads'))} downloads/s (${(rate('bytes') / 1e6).toFixed(1)} MB/s) · ` +
      `${show(rate('receipts'))} receipts/s`,
  ];
  if (now.troubles > 0) lines.push(`${show(now.troubles)} calls failed, the last: ${now.lastTrouble}`);
  for (const { name, versions } of now.files.values()) {
    for (const [version, states] of [...versions].sort(([a], [b]) => b - a)) {
      lines.push(
        `${name.slice(0, 24).padEnd(24)} v${String(version).padEnd(3)} ${barOf(states, devices)}  ${wordsOf(states)}`,
      );
    }
  }
  return lines;
}

const signs: readonly (readonly [string, readonly FileState[], string])[] = [
  ['installed', ['installed'], '█'],
  ['on the way', ['downloading', 'downloaded'], '▒'],
  ['failed', ['failed'], '×'],
];

const sum = (states: ReadonlyMap<FileState, number>, some: readonly FileState[]): number =>
  some.reduce((total, state) => total + (states.get(state) ?? 0), 0);

function barOf(states: ReadonlyMap<FileState, number>, devices: number): string {
  const bar = signs
    .map(([, some, sign]) => sign.repeat(Math.round((sum(states, some) / devices) * barWidth)))
    .join('')
    .slice(0, barWidth);
  return bar.padEnd(barWidth, '·');
}

const wordsOf = (states: ReadonlyMap<FileState, number>): string =>
  signs
    .map(([word, some]) => [word, sum(states, some)] as const)
    .filter(([, total]) => total > 0)
    .map(([word, total]) => `${show(total)} ${word}`)
    .join(' · ');
