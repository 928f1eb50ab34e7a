import { isUniqueViolation } from '@portal/database';
import { AppError } from '@portal/kernel';
import type { Contract } from '../domain/partner.ts';
import type { TenantDb } from './db.ts';

/** Throws `E40014` when the code is taken: the index on it is the only thing that two at once cannot pass. */
export async function insertPartner(
  db: TenantDb,
  contract: Contract,
  now: Date,
): Promise<{ id: number; revision: number }> {
  try {
    return await db.partner.create({
      data: { ...contract, createdAt: now, updatedAt: now },
      select: { id: true, revision: true },
    });
  } catch (error) {
    if (isUniqueViolation(error, 'partners_partner_code_key')) {
      throw new AppError('E40014', [{ field: 'partnerCode', message: 'notUnique' }], { cause: error });
    }
    throw error;
  }
}
