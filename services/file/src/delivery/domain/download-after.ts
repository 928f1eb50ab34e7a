import { createHash } from 'node:crypto';

/** Who comes later than that does not come with the others. Players that were off overnight come together in the morning. */
const newForMs = 24 * 60 * 60 * 1_000;
const longestSeconds = 60 * 60;

/** A version of a file as players get it. */
export interface NewVersion {
  readonly fileId: number;
  readonly version: number;
  /** How many devices get it at once. */
  readonly reachedDevices: number;
  /** Since when. */
  readonly newSince: Date;
}

/**
 * Seconds that a device waits before it downloads a version, the same whenever it asks while the version is new. Devices are spread
 * evenly, so that about `perSecond` of them begin in a second, and none waits longer than an hour. 0 where few get the version at once.
 */
export function downloadAfter(
  { fileId, newSince, reachedDevices, version }: NewVersion,
  device: string,
  { now, perSecond }: { readonly now: Date; readonly perSecond: number },
): number {
  const seconds = Math.min(longestSeconds, Math.ceil(reachedDevices / perSecond));
  if (seconds <= 1 || now.getTime() >= newSince.getTime() + newForMs) return 0;
  const hash = createHash('sha256').update(`${fileId}.${version} ${device}`).digest();
  return Math.floor((hash.readUInt32BE(0) / 2 ** 32) * seconds);
}
