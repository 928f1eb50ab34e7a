import { editLink } from '../../../lib/edit-link.ts';
import type { FlowDefinition } from '../../../ui/flow/flow-store.ts';

export type DatabaseValues = {
  /** 0 until one is chosen. */
  partnerId: number;
  contractStatus: 0 | 1 | 2;
  /** A time of the wire; empty until there is one. */
  expireDate: string;
};

export const databaseListPath = '/admin/databases';

export const databaseCreateFlow: FlowDefinition<DatabaseValues> = {
  name: 'database-create',
  paths: {
    form: `${databaseListPath}/create`,
    confirm: `${databaseListPath}/confirm`,
    complete: `${databaseListPath}/complete`,
  },
};

export const databaseEditFlow: FlowDefinition<DatabaseValues> = {
  name: 'database-edit',
  paths: {
    form: `${databaseListPath}/edit/`,
    confirm: `${databaseListPath}/edit/confirm/`,
    complete: `${databaseListPath}/edit/complete/`,
  },
};

export const databaseEditLink = (partnerId: number, partnerName: string): string =>
  editLink(databaseEditFlow.paths.form, partnerId, partnerName);
