import { chakra } from '@chakra-ui/react';
import { fileRoutes, userRoutes } from '@portal/contracts';
import { Pencil, Trash2, UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useApi } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { useSelection } from '../../../lib/list/use-selection.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { RowButton } from '../../../ui/list/row-actions.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { DeleteRecords } from '../../shared/delete-records.tsx';
import { useUserList } from '../users/use-user-list.ts';
import { type UserDetail, userListPath } from '../users/user-flows.ts';
import { DeleteGroups } from './delete-groups.tsx';
import { GroupFiles } from './group-files.tsx';
import { type GroupDetail, groupEditFlow, groupListPath, groupMembersPath } from './group-flows.ts';
import { useRoleName } from './group-form.tsx';
import { GroupLoader } from './group-loader.tsx';
import { GroupUsers } from './group-users.tsx';
import { membershipRoutes } from './membership-routes.ts';
import { useGroup } from './use-group.ts';
import { useGroupCrumbs } from './use-group-crumbs.ts';

export function GroupDetailPage() {
  const { t } = useTranslation(['groups', 'ui']);
  const may = useMay();
  const { partner } = usePartnerSession();
  const roleName = useRoleName();
  const { data: group, ...query } = useGroup();
  return (
    <>
      <PageHeader
        title={group ? t('withRole', { name: group.name, role: roleName(group.role) }) : t('detail')}
        crumbs={useGroupCrumbs(t('detail'))}
        action={
          group &&
          may(userRoutes.updateGroup) && (
            <ButtonLink
              to={editLink(groupEditFlow.paths.form, group.id, partner.name)}
              variant="outline"
              icon={<Pencil />}
            >
              {t('ui:edit')}
            </ButtonLink>
          )
        }
      />
      {group ? <GroupSections group={group} /> : <GroupLoader query={query} />}
    </>
  );
}

function GroupSections({ group }: { group: GroupDetail }) {
  const { t } = useTranslation('groups');
  const may = useMay();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  return (
    <chakra.div maxW="page">
      <GroupFacts group={group} />
      <Members group={group} />
      {may(fileRoutes.listFiles) && (
        <Section title={t('files.title')} lead={t('files.help')}>
          <GroupFiles groupId={group.id} />
        </Section>
      )}
      {may(userRoutes.deleteGroup) && (
        <>
          <Button variant="outline" colorPalette="danger" icon={<Trash2 />} onClick={() => setDeleting(true)}>
            {t('delete')}
          </Button>
          <DeleteGroups
            groups={deleting ? [group] : []}
            onClose={() => setDeleting(false)}
            onDeleted={() => navigate(groupListPath, { replace: true, flushSync: true })}
          />
        </>
      )}
    </chakra.div>
  );
}

function GroupFacts({ group }: { group: GroupDetail }) {
  const { t } = useTranslation(['groups', 'ui']);
  const { dateTime, number } = useFormat();
  return (
    <Section title={t('facts')}>
      <Panel maxW="form">
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
  const { partner } = usePartnerSession();
  const selection = useSelection();
  const users = useUserList(group.id);
  const [leaving, setLeaving] = useState<readonly UserDetail[]>([]);
  const addButton = may(userRoutes.addGroupUsers) && (
    <ButtonLink
      to={editLink(groupMembersPath, group.id, partner.name)}
      variant="outline"
      size="xs"
      icon={<UserPlus />}
    >
      {t('members.add')}
    </ButtonLink>
  );
  const mayRemove = may(userRoutes.removeGroupUsers);
  const params = { pid: partner.id, id: group.id };
  return (
    <Section
      title={t('members.title')}
      lead={
        group.userCount > 0 && <Link to={`${userListPath}?group=${group.id}`}>{t('members.inUserList')}</Link>
      }
      action={addButton}
    >
      <GroupUsers
        caption={t('members.title')}
        users={users}
        selection={mayRemove ? selection : undefined}
        bulkActions={
          <Button
            size="xs"
            colorPalette="danger"
            variant="outline"
            icon={<UserMinus />}
            onClick={() => setLeaving(users.reply?.users.filter(({ id }) => selection.has(id)) ?? [])}
          >
            {t('members.remove')}
          </Button>
        }
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
        emptyText={t('members.emptyText')}
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
