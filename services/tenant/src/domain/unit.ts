import { AppError } from '@portal/kernel';

export interface NewUnit {
  readonly name: string;
  readonly allocatedLicense: number;
  /** The partner that runs the unit; 0 is none. */
  readonly ownerPartnerid: number;
  readonly canForceDistributeApp: boolean;
}

/** The licences of a unit: what it was given, and what its partners hold together. */
export interface UnitLicences {
  readonly allocated: number;
  readonly consumed: number;
}

/** Throws `E40016` on `licenseCount` unless the unit has `count` licences left. */
export function requireLicences(unit: UnitLicences, count: number): void {
  if (unit.consumed + count > unit.allocated) {
    throw new AppError('E40016', [{ field: 'licenseCount', message: 'outOfRange' }]);
  }
}
