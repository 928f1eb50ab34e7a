import { fileEditPath } from '../../../components/files/file.ts';
import type { PlanValues } from '../../../components/rollout/plan-values.ts';
import type { FlowDefinition } from '../../../ui/flow/flow-store.ts';

/** What becomes of a file at once: nobody gets it yet, or some groups do, or everyone. */
export const audienceKinds = ['nobody', 'groups', 'everyone'] as const;
export type AudienceKind = (typeof audienceKinds)[number];

export type FileCreateValues = {
  files: File[];
  /** Of the record of each file, in their order. There is one name before there is a file. */
  names: string[];
  note: string;
  to: AudienceKind;
  groupIds: number[];
  notifyEmail: boolean;
  notifyPush: boolean;
  /** UTC text, empty for none. */
  deliverReservationAt: string;
};

export type FileEditValues = {
  name: string;
  note: string;
  file: File | undefined;
  /** What is said of the new version. */
  versionNote: string;
  /** How the new version goes out. */
  rollout: PlanValues;
  /** UTC text, empty for none. */
  deliverReservationAt: string;
  updateFile: File | undefined;
  /** What is said of the reserved version. */
  updateNote: string;
  updateRollout: PlanValues;
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
  memoryOnly: ['files'],
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
