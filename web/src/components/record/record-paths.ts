import type { FlowDefinition } from '../../ui/flow/flow-store.ts';

export interface RecordPaths {
  readonly list: string;
  readonly detail: string;
  readonly create: FlowDefinition<object>['paths'];
  readonly edit: FlowDefinition<object>['paths'];
}

/** The addresses of a record's pages, from that of its list on. */
export const recordPaths = (list: string): RecordPaths => ({
  list,
  detail: `${list}/detail/`,
  create: { form: `${list}/create`, confirm: `${list}/confirm`, complete: `${list}/complete` },
  edit: { form: `${list}/edit/`, confirm: `${list}/edit/confirm/`, complete: `${list}/edit/complete/` },
});
