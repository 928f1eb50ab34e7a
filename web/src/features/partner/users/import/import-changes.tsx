import { Box, chakra } from '@chakra-ui/react';
import { type RouteReply, userRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { userDetailPath } from '../../../../components/users/user.ts';
import { useApiList } from '../../../../lib/api.ts';
import { editLink } from '../../../../lib/edit-link.ts';
import { useFormat } from '../../../../lib/format.ts';
import { useListState } from '../../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../../lib/list/use-page-within.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import type { Column } from '../../../../ui/list/data-table.tsx';
import { ListView } from '../../../../ui/list/list-view.tsx';
import { NameLink } from '../../../../ui/list/name-link.tsx';
import { SearchBox } from '../../../../ui/list/search-box.tsx';
import { SecondLine } from '../../../../ui/list/second-line.tsx';
import { LongWord } from '../../../../ui/long-word.tsx';
import { Section } from '../../../../ui/page/section.tsx';
import { Tabs } from '../../../../ui/page/tabs.tsx';
import { ChangedFields } from './changed-fields.tsx';
import type { ImportState } from './use-import.ts';

type Change = RouteReply<typeof userRoutes.listUserImportChanges>['changes'][number];

const kinds = userRoutes.importChangeKinds;
const orderKeys = ['line'] as const;
const filters = { q: 'text' } as const;

/** Whom an import creates, changes and deletes. What is chosen and looked for stands in the address. */
export function ImportChanges({ id, state }: { id: number; state: ImportState }) {
  const { t } = useTranslation('userImport');
  const format = useFormat();
  const [address, setAddress] = useSearchParams();
  const counts = { created: state.createCount, changed: state.updateCount, deleted: state.deleteCount };
  const kind =
    kinds.find((known) => known === address.get('kind')) ?? kinds.find((one) => counts[one] > 0) ?? 'created';

  function choose(next: (typeof kinds)[number]): void {
    setAddress(
      (before) => {
        const after = new URLSearchParams(before);
        after.set('kind', next);
        after.delete('page');
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  }

  return (
    <Section title={t('whom.title')}>
      <Tabs
        label={t('whom.title')}
        tabs={kinds.map((value) => ({ value, label: `${t(value)} ${format.number(counts[value])}` }))}
        value={kind}
        onChoose={choose}
      >
        <ChangesOfKind key={kind} id={id} kind={kind} isDone={state.status === 'complete'} />
      </Tabs>
    </Section>
  );
}

interface ChangesOfKindProps {
  id: number;
  kind: (typeof kinds)[number];
  /** The import was applied. */
  isDone: boolean;
}

function ChangesOfKind({ id, isDone, kind }: ChangesOfKindProps) {
  const { t } = useTranslation('userImport');
  const format = useFormat();
  const { partner } = usePartnerSession();
  const list = useListState<'line', { q: string }>({ orderKeys, filters });
  const { page, perPage } = list;
  const { q } = list.filters;
  const query = useApiList(userRoutes.listUserImportChanges, {
    params: { pid: partner.id },
    query: { batchProcessId: id, kind, page, perPage, ...(q && { q }) },
  });
  usePageWithin(list, query, query.data?.totalPage);

  const columns: readonly Column<Change, 'line'>[] = [
    {
      id: 'line',
      header: t('line'),
      cell: ({ line }) => format.number(line),
      numeric: true,
      width: '3.5rem',
      wideOnly: true,
    },
    {
      id: 'name',
      header: t('whom.name'),
      cell: (person) => (
        <>
          {person.id === null || (isDone && kind === 'deleted') ? (
            <LongWord>{person.name}</LongWord>
          ) : (
            <NameLink to={editLink(userDetailPath, person.id, partner.name)}>{person.name}</NameLink>
          )}
          <SecondLine>{person.loginId}</SecondLine>
          {kind !== 'deleted' && (
            <Box hideFrom="md" mt="1" fontWeight="normal">
              <ChangedFields kind={kind} fields={person.fields} />
            </Box>
          )}
        </>
      ),
      isRowHeader: true,
      ...(kind !== 'deleted' && { width: '35%' }),
    },
    ...(kind === 'deleted'
      ? []
      : [
          {
            id: 'fields',
            header: t(kind === 'created' ? 'whom.content' : 'whom.changes'),
            cell: ({ fields }: Change) => <ChangedFields kind={kind} fields={fields} />,
            wideOnly: true,
          },
        ]),
  ];
  return (
    <>
      <chakra.div mb="3">
        <SearchBox list={list} label={t('whom.search')} />
      </chakra.div>
      <ListView
        caption={`${t('whom.title')}: ${t(kind)}`}
        list={list}
        query={query}
        page={query.data}
        rows={query.data?.changes}
        columns={columns}
        rowId={({ line }) => line}
        rowName={({ name }) => name}
        emptyTitle={t('whom.none')}
        emptyText={t('whom.noneText')}
      />
    </>
  );
}
