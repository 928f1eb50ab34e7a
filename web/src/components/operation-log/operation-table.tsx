import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { editLink } from '../../lib/edit-link.ts';
import { useFormat } from '../../lib/format.ts';
import type { SessionKind } from '../../lib/session/session-store.ts';
import { useSession } from '../../lib/session/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../ui/feedback/states.tsx';
import { type Column, DataTable } from '../../ui/list/data-table.tsx';
import { NameLink } from '../../ui/list/name-link.tsx';
import { LongWord } from '../../ui/long-word.tsx';
import { DescriptionList } from '../../ui/page/description-list.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { fileDetailPath } from '../files/file.ts';
import { groupDetailPath } from '../groups/group.ts';
import { partnerMenuPath } from '../partner-links.ts';
import { unitPaths } from '../unit-links.ts';
import { userDetailPath } from '../users/user.ts';
import { type OperationQuery, type OperationRow, useOperations } from './use-operations.ts';

interface OperationTableProps {
  caption: string;
  asked: OperationQuery;
  perPage: number;
  /** The company whose log an administrator reads; otherwise that of all. */
  of?: number | undefined;
  /** On the page of a record, every row is about that record. */
  withTarget?: boolean;
  emptyTitle: string;
  emptyText: string;
  /** Where filters hide all, the way back. */
  onReset?: (() => void) | undefined;
}

type Kind = NonNullable<OperationRow['target']['kind']>;

/** The pages of records, for each area those that it has. */
const detailPaths: Readonly<Record<SessionKind, Readonly<Partial<Record<Kind, string>>>>> = {
  admin: { partner: partnerMenuPath, unit: unitPaths.detail },
  partner: { file: fileDetailPath, user: userDetailPath, group: groupDetailPath },
};

/** Operations, newest first, with a button for older ones. */
export function OperationTable({
  asked,
  caption,
  emptyText,
  emptyTitle,
  of,
  onReset,
  perPage,
  withTarget = true,
}: OperationTableProps) {
  const { t } = useTranslation(['operationLogs', 'ui']);
  const { dateTime } = useFormat();
  const query = useOperations(asked, perPage, of);
  const rows = query.data?.pages
    .flatMap(({ operationLogs }) => operationLogs)
    .map((operation, index) => ({ ...operation, index }));

  const columns: readonly Column<OperationRow & { index: number }>[] = [
    {
      id: 'at',
      header: t('at'),
      cell: ({ at }) => <chakra.span whiteSpace={{ md: 'nowrap' }}>{dateTime(at)}</chakra.span>,
      width: '10rem',
    },
    {
      id: 'text',
      header: t('operation'),
      cell: ({ code, text, who }) => (
        <>
          <chakra.span color={code === null ? undefined : 'fg.error'}>{text}</chakra.span>
          <chakra.span display="block" hideFrom="md" fontSize="xs" fontWeight="normal" color="fg.muted">
            <LongWord>{who.name ?? who.login ?? t('nobody')}</LongWord>
          </chakra.span>
        </>
      ),
      isRowHeader: true,
    },
    { id: 'who', header: t('who'), cell: ({ who }) => <Who who={who} />, wideOnly: true },
    ...(withTarget
      ? [
          {
            id: 'target',
            header: t('target'),
            cell: (operation: OperationRow) => <Target operation={operation} />,
            wideOnly: true,
          },
        ]
      : []),
  ];

  if (query.error && !rows) {
    return (
      <Panel>
        <ErrorState error={query.error} onRetry={() => query.refetch()} />
      </Panel>
    );
  }
  if (rows?.length === 0) {
    return (
      <Panel>
        <EmptyState
          title={onReset ? t('ui:noMatchTitle') : emptyTitle}
          action={
            onReset && (
              <Button variant="outline" onClick={onReset}>
                {t('ui:reset')}
              </Button>
            )
          }
        >
          {onReset ? t('ui:noMatchText') : emptyText}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel role="region" aria-label={caption}>
      <DataTable
        caption={caption}
        columns={columns}
        rows={rows}
        rowId={({ index }) => index}
        rowName={({ at, text }) => `${dateTime(at)} ${text}`}
        rowDetail={(operation) => <Details operation={operation} />}
        expectedRows={perPage}
      />
      <Flex
        justify="center"
        align="center"
        gap="3"
        px="3"
        py="2"
        borderTopWidth="1px"
        minH="12"
        role="status"
      >
        {query.isFetchNextPageError && <chakra.span color="fg.error">{query.error?.message}</chakra.span>}
        {query.hasNextPage ? (
          <Button
            variant="outline"
            size="sm"
            pending={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('older')}
          </Button>
        ) : (
          rows && (
            <chakra.span fontSize="xs" color="fg.muted">
              {t('endOfLog')}
            </chakra.span>
          )
        )}
      </Flex>
    </Panel>
  );
}

function Who({ who }: { who: OperationRow['who'] }) {
  const { t } = useTranslation('operationLogs');
  if (who.id === null) {
    return (
      <chakra.span color="fg.muted">
        {who.login === null ? t('nobody') : <LongWord>{t('unknown', { login: who.login })}</LongWord>}
      </chakra.span>
    );
  }
  const name = who.name ?? who.login ?? String(who.id);
  return (
    <>
      <LongWord>{name}</LongWord>
      {who.login !== null && who.login !== name && (
        <chakra.span display="block" fontSize="xs" color="fg.muted">
          <LongWord>{who.login}</LongWord>
        </chakra.span>
      )}
    </>
  );
}

/** Company admins who are no users have no page: what is done with them, and what they do with themselves, links to none. */
const mayBeNoUser = ({ operation, target, who }: OperationRow) =>
  operation.includes('Admin') || target.id === who.id;

/** What was deleted has no page any more. */
const isGone = ({ code, operation }: OperationRow) => code === null && operation.startsWith('delete');

function Target({ operation }: { operation: OperationRow }) {
  const { t } = useTranslation('operationLogs');
  const session = useSession();
  const { id, kind, name } = operation.target;
  if (kind === null) return null;
  const path =
    session === undefined || isGone(operation) || (kind === 'user' && mayBeNoUser(operation))
      ? undefined
      : detailPaths[session.kind][kind];
  // The number of an export or of a session tells people nothing.
  const text = name ?? (id === null || path === undefined ? '' : String(id));
  return (
    <>
      {text !== '' &&
        (path !== undefined && id !== null && session !== undefined ? (
          <NameLink to={editLink(path, id, session.kind === 'partner' ? session.partner.name : text)}>
            {text}
          </NameLink>
        ) : (
          <LongWord>{text}</LongWord>
        ))}
      <chakra.span display="block" fontSize="xs" color="fg.muted">
        {t(`kinds.${kind}`)}
      </chakra.span>
    </>
  );
}

function Details({ operation }: { operation: OperationRow }) {
  const { t } = useTranslation('operationLogs');
  const { address, agent, at, code, operation: name, target, who } = operation;
  const { dateTimeWithZone } = useFormat();
  return (
    <DescriptionList
      items={[
        { label: t('at'), value: dateTimeWithZone(at) },
        { label: t('who'), value: <Who who={who} /> },
        ...(target.kind === null ? [] : [{ label: t('target'), value: <Target operation={operation} /> }]),
        { label: t('address'), value: address },
        { label: t('agent'), value: agent },
        { label: t('route'), value: <code>{name}</code> },
        ...(code === null ? [] : [{ label: t('code'), value: code }]),
      ]}
    />
  );
}
