import { type EventData, formatNullableDateTime, snakeKey, type tenantEvents } from '@portal/contracts';
import type { Contract } from './partner.ts';

/** What the licence log tells of a contract. */
export type LicenceTerms = EventData<typeof tenantEvents.partnerLicenceChanged>['after'];

export interface LicenceChange {
  /** What changed, as it was; null of a new partner. */
  readonly before: LicenceTerms | null;
  readonly after: LicenceTerms;
}

const termNames = [
  'contractRank',
  'licenseType',
  'licenseCount',
  'licenseExpiredOn',
  'uapFileLimit',
  'unitId',
] as const satisfies readonly (keyof LicenceTerms)[];

const termsOf = (contract: Contract) => ({
  contractRank: contract.contractRank,
  licenseType: contract.licenseType,
  licenseCount: contract.licenseCount,
  licenseExpiredOn: formatNullableDateTime(contract.licenseExpiredOn),
  uapFileLimit: contract.uapFileLimit,
  unitId: contract.unitId,
});

/** A change field by field, as a file shows it: with times in the form of `dateTime`. */
export function fieldsOf(
  { after, before }: LicenceChange,
  dateTime: (time: Date) => string,
): { field: string; before: number | string; after: number | string }[] {
  const shown = (name: keyof LicenceTerms, terms: LicenceTerms | null) => {
    const value = terms?.[name] ?? '';
    return name === 'licenseExpiredOn' && value !== '' ? dateTime(new Date(value)) : value;
  };
  return termNames
    .filter((name) => after[name] !== undefined)
    .map((name) => ({ field: snakeKey(name), before: shown(name, before), after: shown(name, after) }));
}

/** What the licence log is to tell of a contract that is new, or has changed; undefined where it tells nothing. */
export function licenceChangeOf(before: Contract | null, after: Contract): LicenceChange | undefined {
  const now = termsOf(after);
  if (before === null) return { before: null, after: now };
  const was = termsOf(before);
  const isNew = ([name, value]: [string, unknown]) => Object(was)[name] !== value;
  const changed = Object.entries(now).filter(isNew);
  if (changed.length === 0) return undefined;
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, Object(was)[name]])),
    after: Object.fromEntries(changed),
  };
}
