import { type ContractRank, type LicenseType, plans } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { Temporal } from 'temporal-polyfill';
import { requireLicences, type UnitLicences } from './unit.ts';

/** What an administrator says of a new partner; what is left out follows from the plan of its rank. */
export interface NewPartner {
  readonly name: string;
  readonly unitId: number;
  readonly partnerCode: string;
  readonly contractRank: ContractRank;
  readonly licenseType?: LicenseType | undefined;
  readonly licenseCount?: number | undefined;
  /** Null: the licence does not end. */
  readonly licenseExpiredOn?: Date | null | undefined;
  /** Devices of a user who has no limit of their own; 0 is unlimited. */
  readonly userDeviceLimit?: number | undefined;
  /** 0 is unlimited. */
  readonly uapFileLimit?: number | undefined;
  readonly filePublicFlag?: boolean | undefined;
  readonly operationLogDownloadFlag?: boolean | undefined;
  readonly email?: string | null | undefined;
  readonly partnerItem?: string | undefined;
  readonly json?: string | undefined;
  readonly comment?: string | undefined;
  readonly managers?: string | undefined;
  readonly lang?: 'ja' | 'en' | undefined;
}

/** A partner with everything decided. */
export type Contract = {
  readonly [K in keyof NewPartner]-?: Exclude<NewPartner[K], undefined>;
};

/**
 * The contract of a new partner in a unit with these licences.
 * Throws `E40015` for a free one, which only its own sign-up makes; `E40002` for a licence type or count that the plan
 * does not have; `E40016` when the unit has too few licences left.
 */
export function openContract(partner: NewPartner, unit: UnitLicences, now: Date): Contract {
  const { contractRank } = partner;
  if (contractRank === 'free') throw fieldError('E40015', 'contractRank', 'invalidValue');
  const licenseCount = licenceCountOf(contractRank, partner.licenseCount);
  requireLicences(unit, licenseCount);
  return {
    name: partner.name,
    unitId: partner.unitId,
    partnerCode: partner.partnerCode,
    contractRank,
    licenseType: licenceTypeOf(contractRank, partner.licenseType),
    licenseCount,
    licenseExpiredOn:
      partner.licenseExpiredOn === undefined ? endOfTerm(contractRank, now) : partner.licenseExpiredOn,
    userDeviceLimit: partner.userDeviceLimit ?? 0,
    uapFileLimit: partner.uapFileLimit ?? plans[contractRank].files,
    filePublicFlag: partner.filePublicFlag ?? true,
    operationLogDownloadFlag: partner.operationLogDownloadFlag ?? false,
    email: partner.email ?? null,
    partnerItem: partner.partnerItem ?? '',
    json: partner.json ?? '',
    comment: partner.comment ?? '',
    managers: partner.managers ?? '',
    lang: partner.lang ?? 'ja',
  };
}

/** The licence type asked for, or the plan's first. */
function licenceTypeOf(rank: ContractRank, asked: LicenseType | undefined): LicenseType {
  const { licenseTypes } = plans[rank];
  const type = licenseTypes.find((known) => asked === undefined || known === asked);
  if (type === undefined) throw fieldError('E40002', 'licenseType', 'invalidValue');
  return type;
}

/** The number asked for, or the plan's; a fixed plan has no more than its own. */
export function licenceCountOf(rank: ContractRank, asked: number | undefined): number {
  const { licenses, licensesAreFixed } = plans[rank];
  const count = asked ?? licenses;
  if (!Number.isInteger(count) || count < 0 || (licensesAreFixed && count > licenses)) {
    throw new AppError('E40002', [{ field: 'licenseCount', message: 'outOfRange' }]);
  }
  return count;
}

/** When a licence that begins now ends, in whole seconds; null where each contract sets its own date. */
function endOfTerm(rank: ContractRank, now: Date): Date | null {
  const { termMonths } = plans[rank];
  return termMonths === null ? null : monthsAfter(now, termMonths);
}

/** The same day and time in UTC `months` later, or the last day of a month that is shorter. */
export function monthsAfter(date: Date, months: number): Date {
  const end = Temporal.Instant.fromEpochMilliseconds(date.getTime())
    .toZonedDateTimeISO('UTC')
    .add({ months })
    .round({ smallestUnit: 'second', roundingMode: 'floor' });
  return new Date(end.epochMilliseconds);
}
