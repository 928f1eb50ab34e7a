import type { FlowDefinition } from '../../ui/flow/flow-store.ts';

export interface RecordPaths {
  readonly list: string;
  readonly detail: string;
  readonly create: FlowDefinition<object>['paths'];
  readonly edit: FlowDefinition<object>['paths'];
  /**
   * What stands in the addresses as `pn`: the name of the company that one is signed in to, of what the records belong to, or
   * of the record itself.
   */
  readonly pn: 'company' | 'parent' | 'own' | 'none';
  /**
   * The parameter with the id of what the records belong to, such as `unit`, in the addresses about one record. The list and
   * the form of a new one have that id as their `id`.
   */
  readonly parent: string | undefined;
}

type Naming = { readonly parent: string } | { readonly pn: 'own' | 'none' };

/** The addresses of a record's pages, from that of its list on. */
export const recordPaths = (list: string, naming?: Naming): RecordPaths => ({
  list,
  detail: `${list}/detail/`,
  create: { form: `${list}/create`, confirm: `${list}/confirm`, complete: `${list}/complete` },
  edit: { form: `${list}/edit/`, confirm: `${list}/edit/confirm/`, complete: `${list}/edit/complete/` },
  pn: naming === undefined ? 'company' : 'pn' in naming ? naming.pn : 'parent',
  parent: naming && 'parent' in naming ? naming.parent : undefined,
});
