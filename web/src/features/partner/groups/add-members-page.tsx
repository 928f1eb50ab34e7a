import { Badge } from '@chakra-ui/react';
import { userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { membershipRoutes } from '../../../components/groups/membership-routes.ts';
import type { Named } from '../../../components/record/record.ts';
import { LoadingRecord } from '../../../components/record/record-detail-page.tsx';
import { useRecord, useRecordCrumbs, useRecordLinks } from '../../../components/record/use-record.ts';
import { useUserFilters } from '../../../components/users/use-user-filters.ts';
import { useUserList } from '../../../components/users/use-user-list.ts';
import type { UserDetail } from '../../../components/users/user.ts';
import { useApi } from '../../../lib/api.ts';
import { useSelection } from '../../../lib/list/use-selection.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { ListFilters } from '../../../ui/list/list-filters.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { record } from './group-record.tsx';
import { GroupUsers } from './group-users.tsx';

/** Everyone, to choose from whom to put into a group. */
export function AddMembersPage() {
  const { t } = useTranslation('groups');
  const { toDetail } = useRecordLinks(record);
  const group = useRecord(record);
  const crumbs = useRecordCrumbs(record, t('members.add'), group.data);
  return (
    <>
      <PageHeader
        title={group.data ? t('members.addTitle', { name: group.data.name }) : t('members.add')}
        crumbs={crumbs}
        action={
          group.data && (
            <ButtonLink to={toDetail(group.data)} variant="outline" colorPalette="gray">
              {t('members.back')}
            </ButtonLink>
          )
        }
      />
      {group.data ? <Candidates group={group.data} /> : <LoadingRecord record={record} query={group} />}
    </>
  );
}

function Candidates({ group }: { group: Named }) {
  const { t } = useTranslation(['groups', 'users']);
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const selection = useSelection();
  const users = useUserList();

  const isMember = ({ groups }: UserDetail) => groups.some(({ id }) => id === group.id);
  /** Who is in it already is not counted as added. */
  const joining = () =>
    users.reply?.users.filter((user) => selection.has(user.id) && !isMember(user)).map(({ id }) => id) ?? [];

  const add = useAction({
    mutationFn: (ids: readonly number[]) =>
      api.call(userRoutes.addGroupUsers, {
        params: { pid: partner.id, id: group.id },
        body: { ids: [...ids] },
      }),
    onSuccess(_, ids) {
      toast({ tone: 'success', message: t('members.added', { count: ids.length }) });
      selection.clear();
    },
    onError: showError,
    onSettled: () =>
      Promise.all(membershipRoutes.map(({ id }) => queries.invalidateQueries({ queryKey: [id] }))),
  });

  return (
    <>
      <ListFilters list={users.list} searchFor={t('users:searchFor')} filters={useUserFilters()} />
      <GroupUsers
        caption={t('members.addTitle', { name: group.name })}
        users={users}
        selection={selection}
        bulkActions={[
          {
            label: t('members.addSelected'),
            icon: <UserPlus />,
            pending: add.isPending,
            onPress() {
              const ids = joining();
              if (ids.length === 0) toast({ tone: 'warning', message: t('members.allAreMembers') });
              else add.mutate(ids);
            },
          },
        ]}
        mark={{
          header: t('members.title'),
          cell: (user) => isMember(user) && <Badge colorPalette="success">{t('members.isMember')}</Badge>,
        }}
        emptyTitle={t('users:emptyTitle')}
        emptyText={t('users:emptyText')}
      />
    </>
  );
}
