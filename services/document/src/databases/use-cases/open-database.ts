import { AppError } from '@portal/kernel';
import type { AnyCaller } from '@portal/service-kit';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { includesDocuments, type Purpose, partnerOfName, quotaOf, refusalOf } from '../domain/contract.ts';

/** A database that a caller may use for what they are about to do. */
export interface OpenDatabase {
  readonly partnerId: number;
  /** Its name. */
  readonly db: string;
  /** As it was last measured. */
  readonly usageBytes: number;
  readonly quotaBytes: number;
}

/** How the routes of collections and documents reach the database that an address names. */
export interface Databases {
  /**
   * Decides whether who calls may do something with a database now. Throws `E40401` for one that there is not, or that is another
   * tenant's; `E40304` where the contract of the tenant, or that of the database, does not include it; `E40302` after its end;
   * `E40016` for a `write` to one that is full. Which roles may read and write, the routes say.
   */
  open(
    call: { readonly caller: AnyCaller },
    address: { readonly db: string },
    purpose: Purpose,
  ): Promise<OpenDatabase>;
  /** Documents of it were changed: it is measured within the minute. */
  noteChange(database: { readonly partnerId: number }): void;
}

type Needed = Pick<Dependencies, 'clock' | 'contractedQuota' | 'known' | 'peers' | 'store'>;

/** As `Databases` says. */
export async function openDatabase(
  deps: Needed,
  caller: AnyCaller,
  name: string,
  purpose: Purpose,
): Promise<OpenDatabase> {
  const { clock, contractedQuota, known } = deps;
  const partnerId = caller.kind === 'admin' ? partnerOfName(name) : caller.partnerId;
  const database = partnerId === undefined ? null : await known.of(partnerId);
  if (database?.name !== name) throw new AppError('E40401');
  if (caller.kind === 'admin') {
    // What the kit does where a path names the tenant by its id.
    const { contractRank, unitId } = await knowPartner(deps, database.partnerId);
    if (caller.unitId !== null && caller.unitId !== unitId) throw new AppError('E40401');
    if (!includesDocuments(contractRank)) throw new AppError('E40304');
  }
  const refusal = refusalOf(database, purpose, clock.now());
  if (refusal) throw new AppError(refusal);
  const usageBytes = Number(database.usageBytes);
  const quotaBytes = quotaOf(database.contractStatus, contractedQuota);
  if (purpose === 'write' && usageBytes >= quotaBytes) {
    throw new AppError('E40016', [], { messageKey: 'databaseFull' });
  }
  return { partnerId: database.partnerId, db: name, usageBytes, quotaBytes };
}
