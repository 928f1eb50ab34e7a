import { type fileRoutes, limits, type RouteReply } from '@portal/contracts';

export type FileDetail = RouteReply<typeof fileRoutes.getFile>;
export type FileRow = Extract<
  RouteReply<typeof fileRoutes.listFiles>,
  { totalCount: number }
>['files'][number];

export const fileEditPath = '/partner/files/edit/';
export const fileDetailPath = '/partner/files/detail/';

export type WithUpload = Pick<FileRow, 'state' | 'updatedAt' | 'upload'>;

/**
 * From when on somebody can go on with the upload of a file: nobody is sending then, as far as anybody can tell by now. One whose size
 * was never told takes no parts.
 */
export function resumableFrom({ state, updatedAt, upload }: WithUpload): number {
  if (upload === null || upload.fileSize === null || state === 'uploading') return Number.POSITIVE_INFINITY;
  if (state === 'interrupted') return 0;
  // A draft may still wait for others in the browser where it was begun. Of new bytes of a complete file its state says nothing.
  return new Date(upload.lastPartAt ?? updatedAt).getTime() + limits.uploadPause;
}

export const isResumable = <F extends WithUpload>(file: F): file is F & { upload: { fileSize: number } } =>
  resumableFrom(file) <= Date.now();

/** Whether an update waits for its time. The time stays with the file when it has taken effect. */
export function isUpdatePending(
  { updateReservationAt }: Pick<FileDetail, 'updateReservationAt'>,
  now = new Date(),
): boolean {
  return updateReservationAt !== null && new Date(updateReservationAt) > now;
}
