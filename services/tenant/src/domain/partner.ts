import { addressesIn, type ContractRank, type LicenseType, plans } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import { Temporal } from 'temporal-polyfill';

/** What somebody says of a new partner; what is left out follows from the plan of its rank. */
export interface NewPartner {
  readonly name: string;
  readonly unitId: number;
  /** Absent: a free number. */
  readonly partnerCode?: string | undefined;
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
  readonly partnerItem?: string | null | undefined;
  readonly json?: string | null | undefined;
  readonly comment?: string | null | undefined;
  readonly managers?: string | null | undefined;
  readonly lang?: 'ja' | 'en' | undefined;
  readonly timeZone?: string | undefined;
}

/** A partner with everything decided but its code. */
export interface Contract {
  readonly name: string;
  readonly unitId: number;
  readonly contractRank: ContractRank;
  readonly licenseType: LicenseType;
  readonly licenseCount: number;
  readonly licenseExpiredOn: Date | null;
  readonly userDeviceLimit: number;
  readonly uapFileLimit: number;
  readonly filePublicFlag: boolean;
  readonly operationLogDownloadFlag: boolean;
  readonly email: string | null;
  readonly partnerItem: string;
  readonly json: string;
  readonly comment: string;
  readonly managers: string;
  readonly lang: 'ja' | 'en';
  readonly timeZone: string;
}

/** What an administrator changes; what is absent stays. */
export type PartnerChanges = { readonly [K in keyof NewPartner]?: NewPartner[K] | undefined };

const defaultTimeZone = 'Asia/Tokyo';

/** Throws `E40015` for a free partner, which only its own sign-up makes. */
export function requireOrderable({ contractRank }: Pick<NewPartner, 'contractRank'>): void {
  if (contractRank === 'free') throw fieldError('E40015', 'contractRank', 'invalidValue');
}

/**
 * The contract of a new partner. Throws `E40002` for a licence type that the plan does not have, or for no end where the plan
 * has a term; `E40016` for more licences than a fixed plan has.
 */
export function openContract(partner: NewPartner, now: Date): Contract {
  const { contractRank } = partner;
  const plan = plans[contractRank];
  return checked({
    name: partner.name,
    unitId: partner.unitId,
    contractRank,
    licenseType: partner.licenseType ?? 'user',
    licenseCount: partner.licenseCount ?? plan.licenses,
    licenseExpiredOn: endOf(contractRank, partner.licenseExpiredOn, now),
    userDeviceLimit: partner.userDeviceLimit ?? 0,
    uapFileLimit: partner.uapFileLimit ?? plan.files,
    filePublicFlag: partner.filePublicFlag ?? true,
    operationLogDownloadFlag: partner.operationLogDownloadFlag ?? false,
    email: contactOf(partner.email),
    partnerItem: partner.partnerItem ?? '',
    json: partner.json ?? '',
    comment: partner.comment ?? '',
    managers: managersOf(partner.managers),
    lang: partner.lang ?? 'ja',
    timeZone: partner.timeZone ?? defaultTimeZone,
  });
}

/**
 * The contract as somebody changes it; null clears a text. Throws what `openContract` throws; `E40020` for a change to free;
 * `E40021`, `E40022` for another licence type or number of a partner that stays free.
 */
export function changeContract(present: Contract, changes: PartnerChanges, now: Date): Contract {
  const contractRank = changes.contractRank ?? present.contractRank;
  const licenseType = changes.licenseType ?? present.licenseType;
  const licenseCount = changes.licenseCount ?? present.licenseCount;
  if (contractRank === 'free') {
    if (present.contractRank !== 'free') throw fieldError('E40020', 'contractRank', 'invalidValue');
    if (licenseType !== present.licenseType) throw fieldError('E40021', 'licenseType', 'invalidValue');
    if (licenseCount !== present.licenseCount) throw fieldError('E40022', 'licenseCount', 'invalidValue');
  }
  return checked({
    name: changes.name ?? present.name,
    unitId: changes.unitId ?? present.unitId,
    contractRank,
    licenseType,
    licenseCount,
    licenseExpiredOn: changedEndOf(present, contractRank, changes.licenseExpiredOn, now),
    userDeviceLimit: changes.userDeviceLimit ?? present.userDeviceLimit,
    uapFileLimit: changes.uapFileLimit ?? present.uapFileLimit,
    filePublicFlag: changes.filePublicFlag ?? present.filePublicFlag,
    operationLogDownloadFlag: changes.operationLogDownloadFlag ?? present.operationLogDownloadFlag,
    email: changes.email === undefined ? present.email : contactOf(changes.email),
    partnerItem: changes.partnerItem === undefined ? present.partnerItem : (changes.partnerItem ?? ''),
    json: changes.json === undefined ? present.json : (changes.json ?? ''),
    comment: changes.comment === undefined ? present.comment : (changes.comment ?? ''),
    managers: changes.managers === undefined ? present.managers : managersOf(changes.managers),
    lang: changes.lang ?? present.lang,
    timeZone: changes.timeZone ?? present.timeZone,
  });
}

/** Holds a contract to the plan of its rank. */
function checked(contract: Contract): Contract {
  const { licenses, licensesAreFixed, licenseTypes } = plans[contract.contractRank];
  if (!licenseTypes.includes(contract.licenseType)) throw fieldError('E40002', 'licenseType', 'invalidValue');
  if (licensesAreFixed && contract.licenseCount > licenses) {
    throw fieldError('E40016', 'licenseCount', 'planLicences', { max: licenses });
  }
  // Where the plan counts users alone, nobody says how many devices they have.
  return licenseTypes.length > 1 ? contract : { ...contract, userDeviceLimit: 0 };
}

/** When the licence ends: as told, or where the plan has a term, with it. Null where it does not end. */
function endOf(rank: ContractRank, told: Date | null | undefined, now: Date): Date | null {
  const { termMonths } = plans[rank];
  if (termMonths === null) return told ?? null;
  if (told === null) throw fieldError('E40002', 'licenseExpiredOn', 'required');
  return told ?? monthsAfter(now, termMonths);
}

/**
 * The same for a change. Of the same rank, what has no end keeps none, even where the plan has a term: a sign-up may have got it
 * from the partner that owns the unit.
 */
function changedEndOf(
  present: Contract,
  rank: ContractRank,
  told: Date | null | undefined,
  now: Date,
): Date | null {
  if (rank === present.contractRank && (told ?? null) === null && present.licenseExpiredOn === null)
    return null;
  return endOf(rank, told === undefined ? (present.licenseExpiredOn ?? undefined) : told, now);
}

const contactOf = (email: string | null | undefined): string | null => email || null;

/** The addresses one after the other, without what surrounds them. */
const managersOf = (managers: string | null | undefined): string => addressesIn(managers ?? '').join(',');

/** When the term of a plan ends that begins now. */
export const monthsAfterPlan = (rank: 'free' | 'trial', now: Date): Date =>
  monthsAfter(now, plans[rank].termMonths ?? 0);

/** The same day and time in UTC `months` later, or the last day of a month that is shorter. */
export function monthsAfter(date: Date, months: number): Date {
  const end = Temporal.Instant.fromEpochMilliseconds(date.getTime())
    .toZonedDateTimeISO('UTC')
    .add({ months })
    .round({ smallestUnit: 'second', roundingMode: 'floor' });
  return new Date(end.epochMilliseconds);
}
