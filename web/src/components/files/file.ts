import type { fileRoutes, RouteReply } from '@portal/contracts';

export type FileDetail = RouteReply<typeof fileRoutes.getFile>;
export type FileRow = Extract<
  RouteReply<typeof fileRoutes.listFiles>,
  { totalCount: number }
>['files'][number];

export const fileEditPath = '/partner/files/edit/';

/** Whether an update waits for its time. The time stays with the file when it has taken effect. */
export function isUpdatePending(
  { updateReservationAt }: Pick<FileDetail, 'updateReservationAt'>,
  now = new Date(),
): boolean {
  return updateReservationAt !== null && new Date(updateReservationAt) > now;
}
