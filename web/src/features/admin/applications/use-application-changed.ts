import { applicationRoutes, deliveryRoutes, rolloutRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';

/** Asks again for what is different once an application has another version, or its stages have moved. */
export function useApplicationChanged(): () => Promise<unknown> {
  const queries = useQueryClient();
  const reads = [
    applicationRoutes.listApplications,
    applicationRoutes.getApplication,
    deliveryRoutes.listApplicationVersions,
    deliveryRoutes.getApplicationDelivery,
    rolloutRoutes.getApplicationRollout,
  ];
  return () => Promise.all(reads.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
}
