import { randomInt } from 'node:crypto';
import {
  type ContractRank,
  type DatabaseContractStatus,
  databaseContract,
  documentLimits,
  type ErrorCode,
  limits,
  maxId,
  plans,
} from '@portal/contracts';

/** What decides whether a database may be used. */
export interface DatabaseContract {
  readonly contractStatus: number;
  readonly expireDate: Date;
}

/** What a caller is about to do. A deletion makes room: it may be made in a database that is full. */
export type Purpose = 'read' | 'write' | 'delete';

/** Why it may not be done now; undefined: it may. */
export function refusalOf(
  { contractStatus, expireDate }: DatabaseContract,
  purpose: Purpose,
  now: Date,
): Extract<ErrorCode, 'E40302' | 'E40304'> | undefined {
  if (contractStatus === databaseContract.none) return 'E40304';
  const end = expireDate.getTime() + limits.licenceGracePeriod;
  const lastOf = purpose === 'read' ? end + documentLimits.readingPeriod : end;
  return now.getTime() < lastOf ? undefined : 'E40302';
}

export const includesDocuments = (rank: ContractRank): boolean => plans[rank].apis.includes('doc-browsing');

/** Bytes that a database may have; a trial never has more than a contract. */
export const quotaOf = (status: number, contractedQuota: number): number =>
  status === databaseContract.trial ? Math.min(documentLimits.trialQuota, contractedQuota) : contractedQuota;

export const isDatabaseContractStatus = (status: number): status is DatabaseContractStatus =>
  Object.values(databaseContract).some((known) => known === status);

const characters = '0123456789abcdefghijklmnopqrstuvwxyz';
const randomCharacters = 6;
const form = /^d([1-9a-z][0-9a-z]{0,5})[0-9a-z]{6}$/;

/** A name for the database of a partner that nobody can guess. */
export function newDatabaseName(partnerId: number): string {
  const random = Array.from({ length: randomCharacters }, () => characters[randomInt(characters.length)]);
  return `d${partnerId.toString(36)}${random.join('')}`;
}

/** Whose database has such a name, if there is one; undefined for what no database is called. */
export function partnerOfName(name: string): number | undefined {
  const [, partner] = form.exec(name) ?? [];
  const partnerId = partner === undefined ? Number.NaN : Number.parseInt(partner, 36);
  return partnerId <= maxId ? partnerId : undefined;
}
