import { isLicenceOver } from '@portal/contracts';
import { AppError } from '@portal/kernel';

/** When the licence of a partner ends; null: never. */
export function licenceEnd({ licenseExpiredOn }: { readonly licenseExpiredOn: string | null }): Date | null {
  return licenseExpiredOn === null ? null : new Date(licenseExpiredOn);
}

export function isLicensed(partner: { readonly licenseExpiredOn: string | null }, now: Date): boolean {
  return !isLicenceOver(licenceEnd(partner), now);
}

/** Throws `E40302` if the licence of a partner has expired. */
export function requireLicence(partner: { readonly licenseExpiredOn: string | null }, now: Date): void {
  if (!isLicensed(partner, now)) throw new AppError('E40302');
}
