import { userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import {
  type GroupValues,
  groupCreateFlow,
  groupDetailPath,
  groupListPath,
  groupMembersPath,
} from './group-flows.ts';
import { GroupForm, useGroupItems } from './group-form.tsx';
import { useGroupCrumbs } from './use-group-crumbs.ts';

const empty: GroupValues = { name: '', note: '', role: 0 };

export function GroupCreatePage() {
  const { t } = useTranslation('groups');
  return (
    <>
      <PageHeader title={t('create')} crumbs={useGroupCrumbs(t('create'))} />
      <GroupForm initial={empty} />
    </>
  );
}

export function GroupCreateConfirmPage() {
  const { t } = useTranslation(['groups', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const flow = useFlow<GroupValues>();

  const submit = useAction({
    mutationFn: (body: GroupValues) =>
      api.call(userRoutes.createGroup, {
        params: { pid: partner.id },
        body,
        idempotencyKey: flow.idempotencyKey,
      }),
    async onSuccess({ id }, { name }) {
      await queries.invalidateQueries({ queryKey: [userRoutes.listGroups.id] });
      await flow.finish(name, id);
    },
    onError: flow.fail,
  });

  const { values } = flow;
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useGroupCrumbs(t('create'))}
      items={useGroupItems(values)}
      submitLabel={t('ui:create')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function GroupCreateCompletePage() {
  const { t } = useTranslation('groups');
  const { partner } = usePartnerSession();
  const may = useMay();
  const { result, resultId } = useFlow<GroupValues>();
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useGroupCrumbs(t('create'))}
      message={t('created', { name: result })}
      next={
        <>
          <ButtonLink to={groupListPath}>{t('toList')}</ButtonLink>
          {resultId !== undefined && (
            <>
              {may(userRoutes.addGroupUsers) && (
                <ButtonLink to={editLink(groupMembersPath, resultId, partner.name)} variant="outline">
                  {t('members.add')}
                </ButtonLink>
              )}
              <ButtonLink to={editLink(groupDetailPath, resultId, partner.name)} variant="outline">
                {t('toDetail')}
              </ButtonLink>
            </>
          )}
          <ButtonLink to={groupCreateFlow.paths.form} variant="outline">
            {t('createAnother')}
          </ButtonLink>
        </>
      }
    />
  );
}
