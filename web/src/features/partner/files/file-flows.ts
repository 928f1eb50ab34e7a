import type { fileRoutes, RouteReply } from '@portal/contracts';
import type { FlowDefinition } from '../../../ui/flow/flow-store.ts';

export type FileDetail = RouteReply<typeof fileRoutes.getFile>;
export type FileRow = Extract<
  RouteReply<typeof fileRoutes.listFiles>,
  { totalCount: number }
>['files'][number];

export type FileCreateValues = {
  name: string;
  note: string;
  file: File | undefined;
  /** UTC text, empty for none. */
  deliverReservationAt: string;
};

export type FileEditValues = FileCreateValues & {
  updateFile: File | undefined;
  /** UTC text, empty for none. */
  updateReservationAt: string;
};

export const fileListPath = '/partner/files';
export const fileGroupsPath = '/partner/files/groups/';

export const fileCreateFlow: FlowDefinition<FileCreateValues> = {
  name: 'file-create',
  paths: {
    form: '/partner/files/create',
    confirm: '/partner/files/confirm',
    complete: '/partner/files/complete',
  },
  memoryOnly: ['file'],
};

export const fileEditFlow: FlowDefinition<FileEditValues> = {
  name: 'file-edit',
  paths: {
    form: '/partner/files/edit/',
    confirm: '/partner/files/edit/confirm/',
    complete: '/partner/files/edit/complete/',
  },
  memoryOnly: ['file', 'updateFile'],
};

/** Whether an update waits for its time. The time stays with the file when it has taken effect. */
export function isUpdatePending(
  { updateReservationAt }: Pick<FileDetail, 'updateReservationAt'>,
  now = new Date(),
): boolean {
  return updateReservationAt !== null && new Date(updateReservationAt) > now;
}
