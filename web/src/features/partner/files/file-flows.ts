import { fileEditPath } from '../../../components/files/file.ts';
import type { FlowDefinition } from '../../../ui/flow/flow-store.ts';

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
    form: fileEditPath,
    confirm: '/partner/files/edit/confirm/',
    complete: '/partner/files/edit/complete/',
  },
  memoryOnly: ['file', 'updateFile'],
};
