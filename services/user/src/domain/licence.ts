import type { LicenseType } from '@portal/contracts';
import { AppError } from '@portal/kernel';

/** What a partner's contract says of licences. */
export interface Licences {
  readonly licenseType: LicenseType;
  readonly licenseCount: number;
  /** The device limit of users without one of their own; 0 is none. */
  readonly userDeviceLimit: number;
}

/** Throws `E40008` when the licences count users and all are taken. */
export function requireUserLicence(licences: Licences, users: number): void {
  if (licences.licenseType === 'user' && users >= licences.licenseCount) throw new AppError('E40008');
}

/** Throws `E40307` when the licences count devices and all are taken. */
export function requireDeviceLicence(licences: Licences, devices: number): void {
  if (licences.licenseType === 'device' && devices >= licences.licenseCount) throw new AppError('E40307');
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

/** How many licences are free; null where they do not count users. A contract that was reduced may have fewer than users. */
export function userLicencesLeft(
  { licenseCount, licenseType }: Pick<Licences, 'licenseCount' | 'licenseType'>,
  users: number,
): number | null {
  return licenseType === 'user' ? Math.max(0, licenseCount - users) : null;
}
