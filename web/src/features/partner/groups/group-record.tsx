import { chakra } from '@chakra-ui/react';
import { type RouteReply, userRoleBits, userRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useRoleName } from '../../../components/groups/group.ts';
import { defineRecord, type RecordLinks } from '../../../components/record/record.ts';
import type { RecordPaths } from '../../../components/record/record-paths.ts';
import { useTenant } from '../../../components/tenant.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat, viewerZone } from '../../../lib/format.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { idColumn } from '../../../ui/list/id-column.ts';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { DeleteGroups } from './delete-groups.tsx';
import { GroupBody, type GroupDetail } from './group-body.tsx';
import { GroupForm, type GroupValues, useGroupItems } from './group-form.tsx';
import { groupMembersPath, groupPaths, tenantGroupPaths } from './group-paths.ts';

export type GroupRow = Extract<
  RouteReply<typeof userRoutes.listGroups>,
  { totalCount: number }
>['groups'][number];
type OrderKey = (typeof userRoutes.groupOrderKeys)[number];

function useColumns({ toDetail }: RecordLinks): readonly Column<GroupRow, OrderKey>[] {
  const { t } = useTranslation('groups');
  const format = useFormat();
  const roleName = useRoleName();
  return [
    idColumn({ header: t('id'), width: '5rem', wideOnly: 'xl' }),
    {
      id: 'name',
      header: t('name'),
      cell: (group) => <NameLink to={toDetail(group)}>{group.name}</NameLink>,
      orderKey: 'name',
      width: '28%',
      isRowHeader: true,
    },
    { id: 'role', header: t('role'), cell: ({ role }) => roleName(role), orderKey: 'role', width: '8rem' },
    {
      id: 'note',
      header: t('note'),
      cell: ({ note }) => (
        <chakra.span lineClamp="2" title={note}>
          {note}
        </chakra.span>
      ),
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'users',
      header: t('userCount'),
      cell: ({ userCount }) => format.number(userCount),
      numeric: true,
      width: '7rem',
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'files',
      header: t('fileCount'),
      cell: ({ fileCount }) => format.number(fileCount),
      numeric: true,
      width: '7rem',
      wideOnly: 'xl',
    },
    {
      id: 'updatedAt',
      header: t('updatedAt'),
      cell: ({ updatedAt }) => format.dateTime(updatedAt),
      orderKey: 'updatedAt',
      numeric: true,
      width: '11rem',
      wideOnly: 'xl',
    },
  ];
}

function AddMembersLink({ id }: { id: number }) {
  const { t } = useTranslation('groups');
  const may = useMay();
  const { partner } = usePartnerSession();
  if (!may('addGroupUsers')) return null;
  return (
    <ButtonLink to={editLink(groupMembersPath, id, partner.name)} variant="outline">
      {t('members.add')}
    </ButtonLink>
  );
}

function useTitle(): (group: GroupDetail) => string {
  const { t } = useTranslation('groups');
  const roleName = useRoleName();
  return ({ name, role }) => t('withRole', { name, role: roleName(role) });
}

const valuesOf = ({ name, note, role }: GroupDetail): GroupValues => ({
  name,
  note,
  role: role === 0 ? 0 : userRoleBits.admin,
});

/** The groups of the company that the pages at `paths` are about. */
const recordAt = (paths: RecordPaths) =>
  defineRecord({
    paths,
    texts: 'groups',
    lines: 5,
    useScope: () => ({ pid: useTenant().id }),
    useParentCrumbs: () => useTenant().crumbs,
    useParentName() {
      const { isOwn, name } = useTenant();
      return isOwn ? '' : name;
    },
    idParam: 'id',
    calls: {
      list: userRoutes.listGroups,
      get: userRoutes.getGroup,
      create: userRoutes.createGroup,
      update: userRoutes.updateGroup,
      remove: userRoutes.deleteGroup,
      removeMany: userRoutes.deleteGroups,
      csv: userRoutes.exportGroups,
    },
    Delete: DeleteGroups,
    list: {
      orderKeys: userRoutes.groupOrderKeys,
      filters: { q: 'text', name: 'text' },
      pageOf: (reply) => ('totalCount' in reply ? { ...reply, rows: reply.groups } : undefined),
      useColumns,
      csv: { fileName: 'groups.csv', query: () => ({ tz: viewerZone() }), takesIds: true },
    },
    form: {
      empty: { name: '', note: '', role: 0 },
      valuesOf,
      Form: GroupForm,
      useItems: useGroupItems,
      newBody: (values: GroupValues) => values,
      editedBody: (values: GroupValues) => values,
      Next: AddMembersLink,
    },
    detail: { useTitle, Body: GroupBody },
  });

export const record = recordAt(groupPaths);
/** The same for administrators, who read them. */
export const tenantRecord = recordAt(tenantGroupPaths);
