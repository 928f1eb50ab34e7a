import { foldCase } from '@portal/contracts';
import { isUniqueViolation } from '@portal/database';
import { AppError } from '@portal/kernel';
import type { Contract } from '../domain/partner.ts';
import type { TenantDb } from './db.ts';
import type { Partner } from './generated/client.ts';

type StoredContract = Contract & { readonly partnerCode: string; readonly nextReminderAt: Date | null };

/** Throws `E40014` when the code is taken: the index on it is the only thing that two at once cannot pass. */
export async function insertPartner(
  db: TenantDb,
  contract: StoredContract & { readonly awaitsActivation: boolean },
  now: Date,
): Promise<{ id: number; revision: number }> {
  const partner = await orCodeTaken(
    db.partner.create({
      data: { ...contract, ...keysOf(contract), createdAt: now, updatedAt: now },
      select: { id: true, revision: true },
    }),
  );
  await db.partnerUnit.create({ data: { partnerId: partner.id, unitId: contract.unitId } });
  return partner;
}

/** A partner, which stays as it is until the transaction ends; null when there is none. */
export async function lockPartner(db: TenantDb, id: number): Promise<Partner | null> {
  await db.$executeRaw`SELECT FROM partners WHERE partner_id = ${id} FOR UPDATE`;
  return db.partner.findUnique({ where: { id } });
}

/** Whether there is a partner, which is then not deleted until the transaction ends. */
export async function holdPartner(db: TenantDb, id: number): Promise<boolean> {
  return (await db.$executeRaw`SELECT FROM partners WHERE partner_id = ${id} FOR KEY SHARE`) > 0;
}

/** Changes a partner that is locked. Throws `E40014` when its new code is taken. */
export async function savePartner(
  db: TenantDb,
  { id, unitId }: Pick<Partner, 'id' | 'unitId'>,
  contract: StoredContract,
  now: Date,
): Promise<{ revision: number }> {
  const saved = await orCodeTaken(
    db.partner.update({
      where: { id },
      data: { ...contract, ...keysOf(contract), revision: { increment: 1 }, updatedAt: now },
      select: { revision: true },
    }),
  );
  if (contract.unitId !== unitId) {
    await db.partnerUnit.update({ where: { partnerId: id }, data: { unitId: contract.unitId } });
  }
  return saved;
}

/** Its other rows are deleted by and by, as `partnerRows` says; but nobody waits for a change of it any longer. */
export async function deletePartnerRow(db: TenantDb, id: number): Promise<void> {
  await db.licenceHold.deleteMany({ where: { partnerId: id } });
  await db.partner.delete({ where: { id }, select: { id: true } });
}

const keysOf = ({ name, partnerCode }: { readonly name: string; readonly partnerCode: string }) => ({
  nameKey: foldCase(name),
  partnerCodeKey: foldCase(partnerCode),
});

async function orCodeTaken<T>(saving: Promise<T>): Promise<T> {
  try {
    return await saving;
  } catch (error) {
    if (isUniqueViolation(error, 'partners_partner_code_key_key')) {
      throw new AppError('E40014', [{ field: 'partnerCode', message: 'notUnique' }], { cause: error });
    }
    throw error;
  }
}
