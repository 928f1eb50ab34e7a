import type { PageReply } from '@portal/contracts';
import { pageReply, type Scope } from '@portal/database';
import { operator } from '@portal/storage';
import { type ReachedTenant, reachedTenants } from '../../applications/data/reach.ts';
import { type Publisher, requireApplication } from '../../applications/use-cases/publisher.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findPlan } from '../../rollouts/data/rollout-repository.ts';
import type { DeliveryNumbers } from '../data/delivery-numbers.ts';
import { type Counted, countVersions } from './count-versions.ts';

export interface ApplicationDelivery extends Counted, PageReply {
  /** One page of the tenants that it reaches, by their names. */
  readonly partners: readonly (DeliveryNumbers & Pick<ReachedTenant, 'name' | 'partnerId'>)[];
}

/**
 * What has become of an application, added up over the tenants that it reaches, and in some of them.
 * @throws AppError `E40405`
 */
export async function getApplicationDelivery(
  deps: Pick<Dependencies, 'clock' | 'store'> & { readonly allTenants: Scope },
  publisher: Publisher,
  fileId: number,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<ApplicationDelivery> {
  const { currentVersionId, version } = await requireApplication(deps, publisher, fileId);
  // What the people of tenants do is theirs: of it the publisher gets the numbers alone.
  return deps.store.read(deps.allTenants, async (db) => {
    const tenants = currentVersionId === null ? [] : await reachedTenants(db, fileId);
    const shown = tenants.slice((page - 1) * perPage, page * perPage);
    const plan = await findPlan(db, { partnerId: operator, fileId }, deps.clock.now());
    const isThere = currentVersionId !== null && tenants.some(({ groupIds }) => groupIds.length > 0);
    const { ofSets, ...counted } = await countVersions(
      db,
      { fileId, plan: isThere ? plan : undefined, version: isThere ? version : null },
      tenants,
      shown.map((tenant) => [tenant]),
    );
    const partners = shown.flatMap(({ name, partnerId }, index) => {
      const numbers = ofSets[index];
      return numbers ? [{ ...numbers, name, partnerId }] : [];
    });
    return { ...counted, partners, ...pageReply(tenants.length, { page, perPage }) };
  });
}
