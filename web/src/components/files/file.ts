import { type fileRoutes, limits, type RouteReply } from '@portal/contracts';

export type FileDetail = RouteReply<typeof fileRoutes.getFile>;
export type FileRow = Extract<
  RouteReply<typeof fileRoutes.listFiles>,
  { totalCount: number }
>['files'][number];

export const fileEditPath = '/partner/files/edit/';
export const fileDetailPath = '/partner/files/detail/';

type WithUpload = Pick<FileRow, 'state' | 'upload'>;

/**
 * Whether somebody can go on with the upload of a file: nobody is sending at this moment, as far as anybody can tell. One whose size
 * was never told takes no parts.
 */
export function isResumable<F extends WithUpload>(
  file: F,
  now = new Date(),
): file is F & { upload: { fileSize: number } } {
  const { state, upload } = file;
  if (upload === null || upload.fileSize === null || state === 'uploading') return false;
  if (state === 'draft' || state === 'interrupted') return true;
  // New bytes of a complete file: its state says nothing of them.
  return (
    upload.lastPartAt === null || now.getTime() - new Date(upload.lastPartAt).getTime() >= limits.uploadPause
  );
}

/** Whether an update waits for its time. The time stays with the file when it has taken effect. */
export function isUpdatePending(
  { updateReservationAt }: Pick<FileDetail, 'updateReservationAt'>,
  now = new Date(),
): boolean {
  return updateReservationAt !== null && new Date(updateReservationAt) > now;
}
