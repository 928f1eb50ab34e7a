import { AppError } from '@portal/kernel';
import type { AnyCaller } from '@portal/service-kit';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { OpenDatabase } from '../databases.ts';
import { includesDocuments, type Purpose, partnerOfName, quotaOf, refusalOf } from '../domain/contract.ts';

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
  const quotaBytes = quotaOf(database.contractStatus, contractedQuota);
  if (purpose === 'write' && Number(database.usageBytes) >= quotaBytes) {
    throw new AppError('E40016', [], { messageKey: 'databaseFull' });
  }
  return { partnerId: database.partnerId, db: name, quotaBytes };
}
