import type { ApiError } from '@portal/api-client';
import type { RouteContract } from '@portal/contracts';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useApiQuery } from '../../lib/api.ts';
import { editLink, idOf } from '../../lib/edit-link.ts';
import type { Call } from '../../lib/session/calls.ts';
import { useMay, usePartnerSession, useSession } from '../../lib/session/use-session.ts';
import type { Crumb } from '../../ui/page/page-header.tsx';
import type { AnyRecord, Named, RecordLinks, RecordText } from './record.ts';

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

export function useRecordLinks({ paths }: AnyRecord): RecordLinks {
  const session = useSession();
  const partnerName = session?.kind === 'partner' ? session.partner.name : '';
  return {
    toDetail: ({ id }) => editLink(paths.detail, id, partnerName),
    toEdit: ({ id }) => editLink(paths.edit.form, id, partnerName),
  };
}

/** Home, the list, the record that a page below its own is about, and the page itself; without one, the list is the page. */
export function useRecordCrumbs(record: AnyRecord, here?: string, about?: Named): Crumb[] {
  const { t } = useTranslation('shell');
  const text = useRecordText(record);
  const { toDetail } = useRecordLinks(record);
  const home = { label: t('home'), to: `/${record.paths.list.split('/')[1]}/menu` };
  if (here === undefined) return [home, { label: text('title') }];
  return [
    home,
    { label: text('title'), to: record.paths.list },
    ...(about && record.detail ? [{ label: about.name, to: toDetail(about) }] : []),
    { label: here },
  ];
}

/** The record whose `id` stands in the address. */
export function useRecord<D extends Named>({ calls, idParam, useScope }: AnyRecord<Named, D>) {
  const scope = useScope();
  const [params] = useSearchParams();
  const query = useApiQuery(calls.get, { params: { ...scope, [idParam]: idOf(params) } });
  // `defineRecord` takes only a call that answers D.
  return query as UseQueryResult<D, ApiError>;
}

/** Has what changes with a record asked for again. */
export function useRecordChanged({ alsoStale = [], calls }: AnyRecord): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [calls.list, calls.get, ...alsoStale].map(({ id }) => queries.invalidateQueries({ queryKey: [id] })),
    );
}
