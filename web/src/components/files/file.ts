import { type fileRoutes, limits, type RouteReply } from '@portal/contracts';

export type FileDetail = RouteReply<typeof fileRoutes.getFile>;
export type FileRow = Extract<
  RouteReply<typeof fileRoutes.listFiles>,
  { totalCount: number }
>['files'][number];

export const fileEditPath = '/partner/files/edit/';
export const fileDetailPath = '/partner/files/detail/';

type WithUpload = Pick<FileRow, 'state' | 'updatedAt' | 'upload'>;

/**
 * Whether somebody can go on with the upload of a file: nobody is sending at this moment, as far as anybody can tell. One whose size
 * was never told takes no parts.
 */
export function isResumable<F extends WithUpload>(
  file: F,
  now = new Date(),
): file is F & { upload: { fileSize: number } } {
  const { state, updatedAt, upload } = file;
  if (upload === null || upload.fileSize === null || state === 'uploading') return false;
  if (state === 'interrupted') return true;
  // A draft may still wait for others in the browser where it was begun. Of new bytes of a complete file its state says nothing.
  const movedAt = upload.lastPartAt ?? updatedAt;
  return now.getTime() - new Date(movedAt).getTime() >= limits.uploadPause;
}

/** Whether an update waits for its time. The time stays with the file when it has taken effect. */
export function isUpdatePending(
  { updateReservationAt }: Pick<FileDetail, 'updateReservationAt'>,
  now = new Date(),
): boolean {
  return updateReservationAt !== null && new Date(updateReservationAt) > now;
}
