import type { RouteContract } from '@portal/contracts';
import type { ComponentType } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import type { ja } from '../../i18n/ja/index.ts';
import type { FilterValues } from '../../lib/list/filter-values.ts';
import type { Order } from '../../lib/list/use-list-state.ts';
import type { Option } from '../../ui/form/controls.tsx';
import type { Column } from '../../ui/list/data-table.tsx';
import type { DescriptionItem } from '../../ui/page/description-list.tsx';
import type { Crumb } from '../../ui/page/page-header.tsx';
import type { Chosen } from '../chosen.ts';
import type { RecordPaths } from './record-paths.ts';

export interface Named {
  readonly id: number;
  readonly name: string;
}

/** The texts that the pages of every record take from its namespace. */
export type RecordText =
  | 'title'
  | 'create'
  | 'edit'
  | 'editOf'
  | 'detail'
  | 'delete'
  | 'searchFor'
  | 'confirm'
  | 'complete'
  | 'emptyTitle'
  | 'emptyText'
  | 'deleteTitle'
  | 'deleteOne'
  | 'deleteMany'
  | 'created'
  | 'updated'
  | 'toList'
  | 'toRecord'
  | 'createAnother';

/** Without a page of its own a record needs no words for it, nor any for a search box that it does not have. */
type OfSome = 'detail' | 'delete' | 'searchFor';
type TextsOfRecord = Readonly<Record<Exclude<RecordText, OfSome> | 'deleted_other', string>>;
export type RecordNamespace = {
  [N in keyof typeof ja]: (typeof ja)[N] extends TextsOfRecord ? N : never;
}[keyof typeof ja];

export interface RecordPage<R> {
  readonly rows: readonly R[];
  readonly totalPage: number;
  readonly totalCount: number;
}

/** What of all rows a list shows. */
export interface ListQuery<K extends string = string> {
  readonly page: number;
  readonly perPage: number;
  readonly orderKey: K;
  readonly order: Order;
  readonly filters: Readonly<Record<string, string>>;
}

/** Those to delete: none closes the dialog. With `matching` they are all that the list's `filter` shows. */
export interface DeleteRecordProps<R extends Named> {
  readonly record: AnyRecord;
  readonly chosen: Chosen<R>;
  readonly filter: Readonly<Record<string, string>>;
  readonly onClose: () => void;
  readonly onDeleted: () => void | Promise<void>;
}

/** A call whose address has these parameters. */
type At<P extends string> = RouteContract & { readonly params: z.ZodObject<Record<P, z.ZodType>> };
/** The calls of a background export. */
interface ExportCalls<C extends RouteContract, B extends RouteContract> {
  readonly create: C;
  readonly status: B;
  readonly url: B;
  readonly cancel: B;
}
type Answers<T> = { readonly response: z.ZodType<T> };
type Takes<T> = { readonly body: z.ZodType<unknown, T> | undefined };

/**
 * A thing that people list, create, look at, edit and delete. Each call is made within `useScope`, those about one
 * record with its id as `idParam`. What the caller may not call is not offered.
 */
export interface RecordDefinition<
  S extends string,
  I extends string,
  L,
  R extends Named,
  G,
  D extends Named,
  V extends FieldValues,
  New,
  Edited extends object,
  K extends string,
> {
  readonly paths: RecordPaths;
  readonly texts: RecordNamespace;
  /** How many lines a record takes, while it is not there yet. */
  readonly lines: number;
  readonly useScope: () => Readonly<Record<S, number>>;
  readonly idParam: I;
  readonly calls: {
    readonly list: At<NoInfer<S>> & Answers<L>;
    readonly get: At<NoInfer<S | I>> & Answers<G>;
    readonly create: At<NoInfer<S>> & Takes<New> & Answers<{ id: number }>;
    readonly update: At<NoInfer<S | I>> & Takes<Edited>;
    /** One at a time or all at once, as the service does it. */
    readonly remove: At<NoInfer<S | I>> | (At<NoInfer<S>> & Takes<{ ids: number[] }>);
    /** Those that are selected, by their ids or by the list's filter, all or none. */
    readonly removeMany?: At<NoInfer<S>>;
    /** Streamed by one call, or exported in the background by several. */
    readonly csv?: At<NoInfer<S>> | ExportCalls<At<NoInfer<S>>, At<NoInfer<S> | 'batchId'>>;
  };
  /** Of what `get` answers; that itself unless told. */
  readonly recordOf?: (reply: G) => D;
  /** From home to what the records belong to, where their addresses name it (`recordPaths`). */
  readonly useParentCrumbs?: () => readonly Crumb[];
  /** What the list calls that; by default as the address does, which may have an older name. */
  readonly useParentName?: () => string;
  /** Asks before a deletion, and may say that it cannot be; the usual question by default. */
  readonly Delete?: ComponentType<DeleteRecordProps<R>>;
  /** Other calls whose answers are stale when a record was changed or deleted. */
  readonly alsoStale?: readonly RouteContract[];
  readonly list: {
    readonly orderKeys: readonly [K, ...K[]];
    /** Each is asked for under the name of its column; `q` by the search box over the list. */
    readonly filters: Readonly<
      Record<string, Extract<FilterValues, 'text' | 'number' | 'time' | { someOf: readonly string[] }>>
    >;
    /** The filter of several values, which are chips beside the search box. */
    readonly useChips?: () => {
      readonly name: string;
      readonly label: string;
      readonly options: readonly Option[];
    };
    /** Says whether a row changes by itself: the list looks again then. */
    readonly isMoving?: (row: R) => boolean;
    readonly defaultOrder?: Order;
    /** Asked for whatever else is: the list shows these alone. */
    readonly fixed?: Readonly<Record<string, string>>;
    /** The page of an answer; of one with all rows, see `pageOfAll`. */
    readonly pageOf: (reply: L, list: ListQuery<K>) => RecordPage<R> | undefined;
    readonly useColumns: (links: RecordLinks) => readonly Column<R, K>[];
    readonly csv?: {
      readonly fileName: string;
      readonly query?: () => Readonly<Record<string, string>>;
      /** A background export takes what the list is filtered by. */
      readonly takesFilter?: true;
      /** The call takes the `ids` of the rows that are selected. */
      readonly takesIds?: true;
    };
    /** Says of which rows nobody may get rid, such as oneself. */
    readonly useIsFixed?: () => (row: R) => boolean;
    /** Says whether there can be more than one row to search; there can unless told. */
    readonly useIsSearched?: () => boolean;
    /** How high a row mostly is. */
    readonly rowHeight?: string;
    /** Further buttons of a row. */
    readonly RowActions?: ComponentType<{ row: R }>;
    /** What a row opens to. */
    readonly RowDetail?: ComponentType<{ row: R }>;
  };
  /** Says what can be changed and deleted; everything unless told. */
  readonly canChange?: (record: NoInfer<D>) => boolean;
  readonly form: {
    readonly empty: V;
    readonly valuesOf: (record: D) => V;
    /** Of a new record, or of the one that is edited. */
    readonly Form: ComponentType<{ initial: V; record?: D | undefined }>;
    /** What the confirmation shows; of an edit, with what the form was filled with. */
    readonly useItems: (
      values: V,
      before: V | undefined,
      record: D | undefined,
    ) => readonly DescriptionItem[];
    /** What its completion calls it; its `name` unless told. */
    readonly nameOf?: (values: V) => string;
    readonly newBody: (values: V) => New | Promise<New>;
    /** Of an edit is sent what differs from the same of what the form was filled with. */
    readonly editedBody: (values: V) => Edited | Promise<Edited>;
    /** What follows once the server has taken it, before the completion: such as an upload, which the reply opens. */
    readonly useSaved?: () => (saved: {
      readonly id: number;
      readonly reply: unknown;
      readonly values: V;
    }) => Promise<void>;
    /** What the completion of a creation has to tell besides, by names of the record's own. */
    readonly notesOf?: (values: V) => readonly string[];
    readonly useNote?: () => (note: string) => string;
    /** Further ways on from there. */
    readonly Next?: ComponentType<{ id: number; name: string }>;
  };
  /** The page of one record, where it has one beside its form. */
  readonly detail?: {
    readonly useTitle: () => (record: D) => string;
    readonly Body: ComponentType<{ record: D }>;
  };
}

/** The ways to the pages of a record, among those of the same parent. */
export interface RecordLinks {
  readonly toList: string;
  readonly toCreate: string;
  readonly toDetail: (record: { id: number; name?: string }) => string;
  readonly toEdit: (record: { id: number; name?: string }) => string;
}

/** What is answered under other names than a record has needs to be told how it becomes one. */
type RecordOf<G, D> = [G] extends [D] ? unknown : { readonly recordOf: (reply: G) => D };

export type AnyExport = ExportCalls<RouteContract, RouteContract>;

/** A record as its pages see it: which types belong together was checked when it was defined. */
export interface AnyRecord<
  R extends Named = Named,
  D extends Named = Named,
  V extends FieldValues = FieldValues,
> extends Omit<
    RecordDefinition<string, string, unknown, R, unknown, D, V, unknown, object, string>,
    'calls'
  > {
  readonly calls: Readonly<
    Record<'list' | 'get' | 'create' | 'update' | 'remove', RouteContract> & {
      removeMany?: RouteContract;
      csv?: RouteContract | AnyExport;
    }
  >;
}

export function defineRecord<
  S extends string,
  I extends string,
  L,
  R extends Named,
  G,
  D extends Named,
  V extends FieldValues,
  New,
  Edited extends object,
  K extends string,
>(definition: RecordDefinition<S, I, L, R, G, D, V, New, Edited, K> & RecordOf<G, D>): AnyRecord {
  // The pages pass only what came from the same record: values of its form, rows of its list, answers of its calls.
  return definition as unknown as AnyRecord;
}
