import { plans } from '@portal/contracts';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';

/** Whether the contract of a partner has certifications of its own. Throws `E40402` for no partner. */
export async function hasOwnCertifications(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  partnerId: number,
): Promise<boolean> {
  const { contractRank } = await knowPartner(deps, partnerId);
  return plans[contractRank].apis.includes('certification');
}
