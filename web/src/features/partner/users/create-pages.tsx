import { type RouteReply, userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePickableGroups } from '../../../components/groups/use-pickable-groups.ts';
import { userDetailPath, userListPath } from '../../../components/users/user.ts';
import { useApi } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { useUserCrumbs } from './use-user-crumbs.ts';
import { type UserValues, userCreateFlow } from './user-flows.ts';
import { UserForm, useUserItems } from './user-form.tsx';
import { UserFormLoader } from './user-form-loader.tsx';
import { userBody } from './user-rules.ts';

/** What the completion tells besides. */
const passwordMailed = 'passwordMailed';

export function UserCreatePage() {
  const { t } = useTranslation('users');
  const groups = usePickableGroups();
  return (
    <>
      <PageHeader title={t('create')} crumbs={useUserCrumbs(t('create'))} />
      {groups.data ? <UserForm groups={groups.data} /> : <UserFormLoader queries={[groups]} />}
    </>
  );
}

export function UserCreateConfirmPage() {
  const { t } = useTranslation(['users', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const flow = useFlow<UserValues>();

  const submit = useAction({
    mutationFn: (values: UserValues): Promise<RouteReply<typeof userRoutes.createUser>> =>
      api.call(userRoutes.createUser, {
        params: { pid: partner.id },
        body: userBody(values, partner.licenseType),
        idempotencyKey: flow.idempotencyKey,
      }),
    async onSuccess({ id }, { loginIdType, name }) {
      await Promise.all([
        queries.invalidateQueries({ queryKey: [userRoutes.listUsers.id] }),
        queries.invalidateQueries({ queryKey: [userRoutes.listGroups.id] }),
        queries.invalidateQueries({ queryKey: [userRoutes.getGroup.id] }),
      ]);
      await flow.finish(name, id, { notes: loginIdType === 'email' ? [passwordMailed] : [] });
    },
    onError: flow.fail,
  });

  const { values } = flow;
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useUserCrumbs(t('create'))}
      items={useUserItems(values)}
      submitLabel={t('ui:create')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function UserCreateCompletePage() {
  const { t } = useTranslation('users');
  const { partner } = usePartnerSession();
  const { notes, result, resultId } = useFlow<UserValues>();
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useUserCrumbs(t('create'))}
      message={t('created', { name: result })}
      notes={notes.includes(passwordMailed) ? [t('passwordMailed')] : []}
      next={
        <>
          <ButtonLink to={userListPath}>{t('toList')}</ButtonLink>
          {resultId !== undefined && (
            <ButtonLink to={editLink(userDetailPath, resultId, partner.name)} variant="outline">
              {t('toDetail')}
            </ButtonLink>
          )}
          <ButtonLink to={userCreateFlow.paths.form} variant="outline">
            {t('createAnother')}
          </ButtonLink>
        </>
      }
    />
  );
}
