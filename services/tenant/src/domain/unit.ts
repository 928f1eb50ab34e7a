import { type EventData, type tenantEvents } from '@portal/contracts';
import { fieldError } from '@portal/kernel';

export interface NewUnit {
  readonly name: string;
  readonly allocatedLicense: number;
  /** The partner that owns the unit; 0 is none. */
  readonly ownerPartnerid: number;
  readonly canForceDistributeApp: boolean;
}

/** The licences of a unit: what it was given, and what its partners hold together. */
export interface UnitLicences {
  readonly allocated: number;
  readonly consumed: number;
}

/** Throws `E40016` on `field` unless the unit has `count` licences left. */
export function requireLicences(
  { allocated, consumed }: UnitLicences,
  count: number,
  field: 'licenseCount' | 'outsourcingId' | 'unitId' = 'licenseCount',
): void {
  const left = allocated - consumed;
  if (count > left) throw fieldError('E40016', field, 'unitLicencesLeft', { left: Math.max(0, left) });
}

/** Throws `E40016` on `allocatedLicense` where the partners of the unit hold more together. */
export function requireAllocation(allocated: number, consumed: number): void {
  if (allocated < consumed) {
    throw fieldError('E40016', 'allocatedLicense', 'unitLicencesGiven', { given: consumed });
  }
}

/** The data of a unit for other services. */
export function unitStateOf(
  unitId: number,
  unit: NewUnit & { readonly revision: number },
): EventData<typeof tenantEvents.unitCreated> {
  return {
    unitId,
    revision: unit.revision,
    name: unit.name,
    allocatedLicense: unit.allocatedLicense,
    ownerPartnerid: unit.ownerPartnerid,
    canForceDistributeApp: unit.canForceDistributeApp,
  };
}
