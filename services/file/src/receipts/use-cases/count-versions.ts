import type { FileDb } from '../../data/db.ts';
import { type NumbersByVersion, stagedNumbers } from '../../rollouts/data/staged-numbers.ts';
import type { Plan } from '../../rollouts/domain/plan.ts';
import { type DeliveryNumbers, deliveryNumbers, type GroupSet } from '../data/delivery-numbers.ts';

export interface Counted extends DeliveryNumbers {
  /** Null where nobody is to have any. */
  readonly version: number | null;
  readonly versions: readonly (DeliveryNumbers & { version: number })[];
}

interface Version {
  readonly fileId: number;
  /** The current one; null where nobody is to have any. */
  readonly version: number | null;
  /** Where not all have the current one. */
  readonly plan: Plan | undefined;
}

interface InStages extends Version {
  /** Those of the plan; the first set is of all. */
  readonly inStages: NumbersByVersion | undefined;
}

/**
 * The numbers of a file, or of an application, among all whom it reaches: of the current version, and of each older one that somebody is
 * to have, newest first. `sets`: parts of them, of which the current version alone is counted.
 */
export async function countVersions(
  db: FileDb,
  of: Version,
  all: GroupSet,
  sets: readonly GroupSet[],
): Promise<Counted & { readonly ofSets: readonly DeliveryNumbers[] }> {
  const { version } = of;
  // Of all versions at once.
  const inStages = of.plan && (await stagedNumbers(db, of.plan, [all, ...sets]));
  const [numbers, ...ofSets] = await countVersion(db, { ...of, inStages }, version ?? 0, [all, ...sets]);
  if (!numbers) throw new Error('The database answered nothing');
  const current = version === null ? [] : [{ ...numbers, version }];
  const versions = [...current, ...(await countOlder(db, { ...of, inStages }, all))];
  return { ...numbers, version, versions, ofSets };
}

/** Why it failed is told of all to whom the file is delivered, whichever version they are to have. */
async function countVersion(
  db: FileDb,
  { fileId, inStages }: InStages,
  version: number,
  sets: readonly GroupSet[],
): Promise<DeliveryNumbers[]> {
  const ofAll = await deliveryNumbers(db, { fileId, version }, sets);
  if (!inStages) return ofAll;
  return ofAll.map(({ failureReasons }, set) => ({ ...inStages.of(set, version), failureReasons }));
}

/** The versions before the current one that somebody is to have. */
async function countOlder(
  db: FileDb,
  of: InStages,
  all: GroupSet,
): Promise<(DeliveryNumbers & { version: number })[]> {
  const found: (DeliveryNumbers & { version: number })[] = [];
  for (const { version } of of.plan?.layers.slice(1) ?? []) {
    const [numbers] = await countVersion(db, of, version, [all]);
    if (numbers && numbers.targeted.users > 0) found.push({ ...numbers, version });
  }
  return found;
}
