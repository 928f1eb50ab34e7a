import { createHash } from 'node:crypto';

/** The browser or system of a sign-in, as far as it is known. */
export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
  readonly address: string;
}

/** The first that fits: most browsers name others as well. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

export function deviceOf({ address, agent }: { readonly agent: string; readonly address: string }): Device {
  const found = (families: typeof browsers) => families.find(([sign]) => sign.test(agent))?.[1] ?? null;
  return { browser: found(browsers), system: found(systems), address };
}

/** What a session is listed by: the browser and its system, else the client as it names itself. */
export function agentInWords(agent: string): string {
  const { browser, system } = deviceOf({ agent, address: '' });
  return browser === null || system === null ? agent : `${browser}, ${system}`;
}

/** What a device is known by: a new version of the browser or another address nearby makes it no other. */
export function deviceHash(
  { browser, system }: Pick<Device, 'browser' | 'system'>,
  network: string,
): Buffer<ArrayBuffer> {
  return createHash('sha256')
    .update(JSON.stringify([browser, system, network]))
    .digest();
}
