import type { RouteRequest } from '@portal/contracts';
import type { noteArrival } from '@portal/contracts/internal';
import { tenantOf, type WriteGrant } from '@portal/storage';

/** Tells the file service of the bytes of uploads, which pass by it. */
export function createArrivalNotes(
  tell: (arrival: RouteRequest<typeof noteArrival>['body']) => Promise<unknown>,
): (grant: WriteGrant, stored: boolean) => Promise<void> {
  return async (grant, stored) => {
    const partnerId = tenantOf(grant.action === 'part' ? grant.upload.key : grant.key);
    if (grant.use.purpose !== 'upload' || partnerId === undefined) return;
    await tell({ partnerId, uploadId: grant.use.uploadId, stored });
  };
}
