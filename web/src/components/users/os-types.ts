/** The systems that players run on: what they call them, and how they are written. */
export const osTypes: Readonly<Record<string, string>> = {
  ios: 'iOS',
  android: 'Android',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
};

/** A system as it is written, with its version: `iOS 17.2`. */
export const osName = (osType: string, osVersion: string): string =>
  `${osTypes[osType.toLowerCase()] ?? osType} ${osVersion}`.trim();
