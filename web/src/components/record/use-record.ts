import type { ApiError } from '@portal/api-client';
import type { RouteContract } from '@portal/contracts';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useApiQuery } from '../../lib/api.ts';
import { idOf } from '../../lib/edit-link.ts';
import type { Call } from '../../lib/session/calls.ts';
import { useMay, usePartnerSession, useSession } from '../../lib/session/use-session.ts';
import type { Crumb } from '../../ui/page/page-header.tsx';
import type { AnyRecord, Named, RecordLinks, RecordText } from './record.ts';
import type { RecordPaths } from './record-paths.ts';
import { useParentOf } from './use-parent-of.ts';

/** The scope of what belongs to the company that one is signed in to. */
export function useOwnCompany(): { readonly pid: number } {
  return { pid: usePartnerSession().partner.id };
}

/** The texts that every record has. */
export function useRecordText({
  texts,
}: AnyRecord): (key: RecordText | 'deleted', values?: object) => string {
  const { t } = useTranslation(texts);
  // Every namespace of a record has these keys, but the types of `t` check the keys of one namespace only.
  return t as unknown as (key: string, values?: object) => string;
}

/** Whether the caller may make a call of a record. */
export function useMayCall(): (contract: RouteContract | undefined) => boolean {
  const may = useMay();
  // A route's id is the name under which it is exported, which is what a `Call` is.
  return (contract) => contract !== undefined && may(contract.id as Call);
}

const link = (path: string, query: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return given.length === 0 ? path : `${path}?${given.join('&')}`;
};

export function useRecordLinks({ paths }: { readonly paths: RecordPaths }): RecordLinks {
  const session = useSession();
  const parent = useParentOf(paths);
  const parentId = parent.id === 0 ? undefined : parent.id;
  const pnOf = (name: string | undefined) =>
    ({
      company: session?.kind === 'partner' ? session.partner.name : '',
      parent: parent.name,
      own: name,
      none: undefined,
    })[paths.pn];
  const among = (path: string) => link(path, parentId ? { id: parentId, pn: parent.name } : {});
  const toOne = (path: string, { id, name }: { id: number; name?: string }) =>
    link(path, { id, pn: pnOf(name), ...(paths.parent && { [paths.parent]: parentId }) });
  return {
    toList: among(paths.list),
    toCreate: among(paths.create.form),
    toDetail: (record) => toOne(paths.detail, record),
    toEdit: (record) => toOne(paths.edit.form, record),
  };
}

const noCrumbs = (): readonly Crumb[] => [];

/**
 * Home, what the records belong to, the list, the record that a page below its own is about, and the page itself; without one,
 * the list is the page.
 */
export function useRecordCrumbs(record: AnyRecord, here?: string, about?: Named): Crumb[] {
  const { useParentCrumbs = noCrumbs } = record;
  const { t } = useTranslation('shell');
  const text = useRecordText(record);
  const { toDetail, toList } = useRecordLinks(record);
  const before = [{ label: t('home'), to: `/${record.paths.list.split('/')[1]}/menu` }, ...useParentCrumbs()];
  if (here === undefined) return [...before, { label: text('title') }];
  return [
    ...before,
    { label: text('title'), to: toList },
    ...(about && record.detail ? [{ label: about.name, to: toDetail(about) }] : []),
    { label: here },
  ];
}

interface LoadedRecord<D>
  extends Pick<UseQueryResult<unknown, ApiError>, 'error' | 'isFetching' | 'refetch'> {
  readonly data: D | undefined;
}

/** The record whose `id` stands in the address. */
export function useRecord<D extends Named>({
  calls,
  idParam,
  recordOf,
  useScope,
}: AnyRecord<Named, D>): LoadedRecord<D> {
  const scope = useScope();
  const [params] = useSearchParams();
  const { data, error, isFetching, refetch } = useApiQuery(calls.get, {
    params: { ...scope, [idParam]: idOf(params) },
  });
  // `defineRecord` takes only a call that answers D, or a `recordOf` that makes one of the answer.
  const record = useMemo(
    () => (data === undefined || !recordOf ? (data as D | undefined) : recordOf(data)),
    [data, recordOf],
  );
  return { data: record, error, isFetching, refetch };
}

/** Has what changes with a record asked for again. */
export function useRecordChanged({ alsoStale = [], calls }: AnyRecord): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [calls.list, calls.get, ...alsoStale].map(({ id }) => queries.invalidateQueries({ queryKey: [id] })),
    );
}
