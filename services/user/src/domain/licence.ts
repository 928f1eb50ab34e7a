import type { LicenseType } from '@portal/contracts';
import { AppError } from '@portal/kernel';

/** What takes a licence, and how many may. */
export interface LicenceLimit {
  readonly licenseType: LicenseType;
  readonly licenseCount: number;
}

/** What a partner's contract says of licences. */
export interface Licences extends LicenceLimit {
  /** What the contract is about to say instead: neither limit is passed meanwhile. */
  readonly held?: readonly LicenceLimit[] | undefined;
  /** The device limit of users without one of their own; 0 is none. */
  readonly userDeviceLimit: number;
}

/** Throws `refusal` when the licences count users and all are taken. */
export function requireUserLicence(
  licences: Licences,
  users: number,
  refusal: 'E40008' | 'E40307' = 'E40008',
): void {
  if (users >= limitOf(licences, 'user')) throw new AppError(refusal);
}

/** Throws `E40307` when the licences count devices and all are taken. */
export function requireDeviceLicence(licences: Licences, devices: number): void {
  if (devices >= limitOf(licences, 'device')) throw new AppError('E40307');
}

/** How many users or devices there may be; infinite where licences do not count them. */
function limitOf(
  { held = [], licenseCount, licenseType }: LicenceLimit & Pick<Licences, 'held'>,
  counted: LicenseType,
): number {
  const limits = [{ licenseCount, licenseType }, ...held].filter((limit) => limit.licenseType === counted);
  return Math.min(...limits.map((limit) => limit.licenseCount));
}

/** Throws `E40306` when a user may have no more than the devices that they have. Held for every licence type. */
export function requireRoomForDevice(
  user: { readonly maxDeviceCountLimitedFlag: boolean; readonly maxDeviceCount: number },
  { userDeviceLimit }: Licences,
  devices: number,
): void {
  const usual = userDeviceLimit === 0 ? Number.POSITIVE_INFINITY : userDeviceLimit;
  const limit = user.maxDeviceCountLimitedFlag ? user.maxDeviceCount : usual;
  if (devices >= limit) throw new AppError('E40306');
}

/** How many licences are free; null where they do not count users. */
export function userLicencesLeft(
  licences: LicenceLimit & Pick<Licences, 'held'>,
  users: number,
): number | null {
  const limit = limitOf(licences, 'user');
  return limit === Number.POSITIVE_INFINITY ? null : Math.max(0, limit - users);
}
