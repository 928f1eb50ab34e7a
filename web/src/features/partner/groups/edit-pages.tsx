import { type RouteReply, userRoleBits, userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useApi } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { type GroupValues, groupListPath } from './group-flows.ts';
import { GroupForm, useGroupItems } from './group-form.tsx';
import { GroupLoader } from './group-loader.tsx';
import { useGroup } from './use-group.ts';
import { useGroupCrumbs } from './use-group-crumbs.ts';

const valuesOf = ({ name, note, role }: RouteReply<typeof userRoutes.getGroup>): GroupValues => ({
  name,
  note,
  role: role === 0 ? 0 : userRoleBits.admin,
});

export function GroupEditPage() {
  const { t } = useTranslation('groups');
  const group = useGroup();
  return (
    <>
      <PageHeader
        title={group.data ? t('editOf', { name: group.data.name }) : t('edit')}
        crumbs={useGroupCrumbs(t('edit'), group.data)}
      />
      {group.data ? <GroupForm initial={valuesOf(group.data)} /> : <GroupLoader query={group} />}
    </>
  );
}

export function GroupEditConfirmPage() {
  const { t } = useTranslation(['groups', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  const group = useGroup();
  const flow = useFlow<GroupValues>();

  const submit = useAction({
    mutationFn: (body: GroupValues) =>
      api.call(userRoutes.updateGroup, { params: { pid: partner.id, id: idOf(params) }, body }),
    async onSuccess(_, { name }) {
      await flow.finish(name);
      await Promise.all([
        queries.invalidateQueries({ queryKey: [userRoutes.listGroups.id] }),
        queries.invalidateQueries({ queryKey: [userRoutes.getGroup.id] }),
      ]);
    },
    onError: flow.fail,
  });

  const { values } = flow;
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useGroupCrumbs(t('edit'), group.data)}
      items={useGroupItems(values, group.data && valuesOf(group.data))}
      submitLabel={t('ui:save')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function GroupEditCompletePage() {
  const { t } = useTranslation('groups');
  const { result } = useFlow<GroupValues>();
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useGroupCrumbs(t('edit'))}
      message={t('updated', { name: result })}
      next={<ButtonLink to={groupListPath}>{t('toList')}</ButtonLink>}
    />
  );
}
