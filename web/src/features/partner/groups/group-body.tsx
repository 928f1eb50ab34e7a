import { type RouteReply, userRoutes } from '@portal/contracts';
import { UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeleteRecords } from '../../../components/delete-records.tsx';
import { membershipRoutes } from '../../../components/groups/membership-routes.ts';
import { History } from '../../../components/operation-log/history.tsx';
import { useTenant, useTenantLinks } from '../../../components/tenant.ts';
import { useUserList } from '../../../components/users/use-user-list.ts';
import type { UserDetail } from '../../../components/users/user.ts';
import { useApi } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { useSelection } from '../../../lib/list/use-selection.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { RowButton } from '../../../ui/list/row-actions.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { GroupFiles } from './group-files.tsx';
import { groupMembersPath } from './group-paths.ts';
import { GroupUsers } from './group-users.tsx';

export type GroupDetail = RouteReply<typeof userRoutes.getGroup>;

/** What is told of a group: its facts, who is in it, and what is delivered to it. */
export function GroupBody({ record: group }: { record: GroupDetail }) {
  const { t } = useTranslation('groups');
  const may = useMay();
  return (
    <>
      <GroupFacts group={group} />
      {may('listUsers') && <Members group={group} />}
      {may('listFiles') && (
        <Section title={t('files.title')} lead={t('files.help')}>
          <GroupFiles groupId={group.id} />
        </Section>
      )}
      <History kind="group" id={group.id} />
    </>
  );
}

function GroupFacts({ group }: { group: GroupDetail }) {
  const { t } = useTranslation(['groups', 'ui']);
  const { dateTime, number } = useFormat();
  return (
    <Section title={t('facts')}>
      <Panel>
        <DescriptionList
          items={[
            { label: t('id'), value: group.id },
            { label: t('note'), value: group.note || t('ui:none') },
            { label: t('userCount'), value: number(group.userCount) },
            { label: t('createdAt'), value: dateTime(group.createdAt) },
            { label: t('updatedAt'), value: dateTime(group.updatedAt) },
          ]}
        />
      </Panel>
    </Section>
  );
}

function Members({ group }: { group: GroupDetail }) {
  const { t } = useTranslation(['groups', 'ui']);
  const api = useApi();
  const may = useMay();
  const partner = useTenant();
  const { toList } = useTenantLinks();
  const selection = useSelection();
  const users = useUserList(group.id);
  const [leaving, setLeaving] = useState<readonly UserDetail[]>([]);
  const addButton = may('addGroupUsers') && (
    <ButtonLink
      to={editLink(groupMembersPath, group.id, partner.name)}
      variant="outline"
      size="xs"
      icon={<UserPlus />}
    >
      {t('members.add')}
    </ButtonLink>
  );
  const mayRemove = may('removeGroupUsers');
  const params = { pid: partner.id, id: group.id };
  return (
    <Section
      title={t('members.title')}
      lead={
        group.userCount > 0 && (
          <Link to={toList('users', { group: group.id })}>{t('members.inUserList')}</Link>
        )
      }
      action={addButton}
    >
      <GroupUsers
        caption={t('members.title')}
        users={users}
        expectedRows={group.userCount}
        selection={mayRemove ? selection : undefined}
        bulkActions={[
          {
            label: t('members.remove'),
            icon: <UserMinus />,
            isLoss: true,
            onPress: () => setLeaving(users.reply?.users.filter(({ id }) => selection.has(id)) ?? []),
          },
        ]}
        rowActions={
          mayRemove
            ? (user) => (
                <RowButton
                  action={t('members.remove')}
                  name={user.name}
                  icon={<UserMinus />}
                  onClick={() => setLeaving([user])}
                />
              )
            : undefined
        }
        emptyTitle={t('members.emptyTitle')}
        emptyText={addButton ? t('members.emptyText') : undefined}
        emptyAction={addButton}
      />
      <DeleteRecords
        records={leaving}
        remove={(ids) => api.call(userRoutes.removeGroupUsers, { params, body: { ids: [...ids] } })}
        own={() => []}
        stale={membershipRoutes.map(({ id }) => id)}
        texts={{
          title: t('members.removeTitle'),
          one: (name) => t('members.removeOne', { name }),
          many: (count) => t('members.removeMany', { count }),
          done: (count) => t('members.removed', { count }),
        }}
        confirmLabel={t('members.remove')}
        onClose={() => setLeaving([])}
        onDeleted={selection.clear}
      />
    </Section>
  );
}
