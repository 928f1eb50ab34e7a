import { approvalRoutes, deliveryRoutes, fileRoutes, rolloutRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';

/** What is different once a file has other bytes, times, groups, or is gone, or once that waits for approval. */
export const readsOfFiles = [
  fileRoutes.listFiles.id,
  fileRoutes.getFile.id,
  fileRoutes.listUserFiles.id,
  fileRoutes.listUserFilesAhead.id,
  fileRoutes.getFilesOverview.id,
  fileRoutes.getStorageUse.id,
  deliveryRoutes.listVersions.id,
  deliveryRoutes.getDelivery.id,
  deliveryRoutes.getDeliveryHistory.id,
  deliveryRoutes.listDeliveryDevices.id,
  deliveryRoutes.listUserDelivery.id,
  rolloutRoutes.getRollout.id,
  approvalRoutes.listApprovals.id,
] as const;

/** Asks again for all of that; what no screen shows, when one does. */
export function useFilesChanged(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all(readsOfFiles.map((id) => queries.invalidateQueries({ queryKey: [id] })));
}
