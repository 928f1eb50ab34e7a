import { fieldError } from '@portal/kernel';
import type { TenantDb } from '../data/db.ts';
import { licencesInUse } from '../data/licence-use-repository.ts';
import type { Contract } from '../domain/partner.ts';

type Licences = Pick<Contract, 'licenseCount' | 'licenseType'>;

/**
 * By the counts that this service keeps, which may be a moment late: what they refuse need not be asked.
 * Throws `E40023` where more users, or devices, take a licence of a partner than it would have: on licenseType where that
 * changes, else on licenseCount.
 */
export async function requireLicencesInUseFit(
  db: TenantDb,
  partnerId: number,
  present: Licences,
  { licenseCount, licenseType }: Licences,
): Promise<void> {
  const isOfOtherType = licenseType !== present.licenseType;
  if (!isOfOtherType && licenseCount >= present.licenseCount) return;
  const used = await licencesInUse(db, partnerId, licenseType);
  if (licenseCount < used) {
    throw fieldError('E40023', isOfOtherType ? 'licenseType' : 'licenseCount', 'licencesInUse', { used });
  }
}
