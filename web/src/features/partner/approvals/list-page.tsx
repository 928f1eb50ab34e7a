import { chakra } from '@chakra-ui/react';
import { approvalKinds, approvalRoutes, approvalStates, companyAdminRoutes, limits } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { approvalLink } from '../../../components/approval-paths.ts';
import { useTwoPeopleDecide } from '../../../components/effect/use-two-people-decide.ts';
import { useApiList, useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import type { Filtered } from '../../../lib/list/filter-values.ts';
import { useShownColumns } from '../../../lib/list/list-choices.ts';
import { useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import type { Option } from '../../../ui/form/controls.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { FilterChips } from '../../../ui/list/filter-chips.tsx';
import { ListChoices } from '../../../ui/list/list-choices.tsx';
import { ListFilters } from '../../../ui/list/list-filters.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { type Approval, ApprovalState, useApprovalName } from './approval-parts.tsx';

const filters = {
  state: { someOf: approvalStates },
  what: approvalKinds,
  by: 'number',
  fileId: 'number',
} as const;
/** The newest first, and no other order. */
const listOptions = { orderKeys: ['at'], filters } as const;

/** Milliseconds between two looks at a list in which something waits. */
const refetchEvery = 15_000;

function useAdminOptions(): readonly Option[] {
  const { partner } = usePartnerSession();
  const admins = useApiQuery(companyAdminRoutes.listCompanyAdmins, {
    params: { pid: partner.id },
    query: { perPage: limits.maxPageSize, orderKey: 'name', order: 'asc' },
  });
  return (admins.data?.admins ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}

function useColumns(): readonly Column<Approval, 'at'>[] {
  const { t } = useTranslation('approvals');
  const { dateTime } = useFormat();
  const { partner } = usePartnerSession();
  const nameOf = useApprovalName();
  return [
    { id: 'id', header: t('id'), cell: ({ id }) => id, numeric: true, width: '4rem', wideOnly: '2xl' },
    {
      id: 'what',
      header: t('change'),
      cell: (approval) => (
        <NameLink to={approvalLink(approval.id, partner.name)}>{nameOf(approval)}</NameLink>
      ),
      isRowHeader: true,
      width: '40%',
    },
    {
      id: 'state',
      header: t('state'),
      cell: (approval) => <ApprovalState approval={approval} />,
      width: '8rem',
      onCard: true,
    },
    { id: 'by', header: t('by'), cell: ({ by }) => by.name, wideOnly: true, onCard: true },
    {
      id: 'at',
      header: t('at'),
      cell: ({ at }) => dateTime(at),
      numeric: true,
      width: '10.5rem',
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'decided',
      header: t('decided'),
      cell: ({ decidedAt, decidedBy, expiresAt, state }) =>
        state === 'waiting' ? (
          <chakra.span color="fg.muted">{t('until', { time: dateTime(expiresAt) })}</chakra.span>
        ) : (
          <>
            {decidedBy?.name}
            <chakra.span display="block" fontSize="xs" color="fg.muted">
              {dateTime(decidedAt)}
            </chakra.span>
          </>
        ),
      wideOnly: 'xl',
    },
  ];
}

/** The changes that wait, or waited, for another administrator. */
export function ApprovalListPage() {
  const { t } = useTranslation(['approvals', 'shell', 'ui']);
  const { number } = useFormat();
  const { partner } = usePartnerSession();
  const nameOf = useApprovalName();
  const isOn = useTwoPeopleDecide();
  const list = useListState<'at', Filtered<typeof filters>>(listOptions);
  const { page, perPage } = list;
  const { by, fileId, ...asked } = list.asked;
  const query = useApiList(
    approvalRoutes.listApprovals,
    {
      params: { pid: partner.id },
      query: {
        page,
        perPage,
        state: asked.state || undefined,
        what: asked.what || undefined,
        by: by || undefined,
        fileId: fileId || undefined,
      },
    },
    (reply) => (reply.approvals.some(({ state }) => state === 'waiting') ? refetchEvery : false),
  );
  usePageWithin(list, query, query.data?.totalPage);
  const columns = useColumns();
  return (
    <>
      <PageHeader
        title={t('title')}
        count={query.data && t('ui:count', { count: number(query.data.totalCount) })}
        lead={t('lead')}
        crumbs={[{ label: t('shell:home'), to: '/partner/menu' }, { label: t('title') }]}
      />
      <ListFilters
        list={list}
        filters={{
          what: {
            kind: 'choice',
            label: t('change'),
            options: approvalKinds.map((value) => ({ value, label: t(`what.${value}`) })),
          },
          by: { kind: 'lookup', label: t('by'), useOptions: useAdminOptions },
          fileId: { kind: 'number', label: t('fileId') },
        }}
        choices={<ListChoices name="approvals" columns={columns} />}
      >
        <FilterChips
          label={t('state')}
          options={approvalStates.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={list.filters.state}
          onChange={(state) => list.setFilters({ ...list.filters, state })}
        />
      </ListFilters>
      <ListView
        caption={t('title')}
        list={list}
        query={query}
        page={query.data}
        rows={query.data?.approvals}
        columns={useShownColumns('approvals', columns)}
        rowId={({ id }) => id}
        rowName={nameOf}
        emptyTitle={t('emptyTitle')}
        emptyText={t(isOn ? 'emptyText' : 'offText')}
        emptyAction={
          !isOn && (
            <ButtonLink to="/partner/delivery_settings" variant="outline">
              {t('toSettings')}
            </ButtonLink>
          )
        }
      />
    </>
  );
}
