import { userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { usePickableGroups } from '../../../components/groups/use-pickable-groups.ts';
import { useIsFresh } from '../../../components/use-is-fresh.ts';
import { userDetailPath, userListPath } from '../../../components/users/user.ts';
import { useApi } from '../../../lib/api.ts';
import { editLink, idOf } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { useUser } from './use-user.ts';
import { useUserCrumbs } from './use-user-crumbs.ts';
import { type UserValues } from './user-flows.ts';
import { UserForm, useUserItems } from './user-form.tsx';
import { UserFormLoader } from './user-form-loader.tsx';
import { editedUserBody } from './user-rules.ts';

export function UserEditPage() {
  const { t } = useTranslation('users');
  const user = useUser();
  const groups = usePickableGroups();
  const isFresh = useIsFresh(user, groups);
  return (
    <>
      <PageHeader
        title={user.data ? t('editOf', { name: user.data.name }) : t('edit')}
        crumbs={useUserCrumbs(t('edit'), user.data)}
      />
      {user.data && groups.data && isFresh ? (
        <UserForm user={user.data} groups={groups.data} />
      ) : (
        <UserFormLoader queries={[user, groups]} />
      )}
    </>
  );
}

export function UserEditConfirmPage() {
  const { t } = useTranslation(['users', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  const user = useUser();
  const flow = useFlow<UserValues>();
  const { before } = flow;
  const id = idOf(params);

  const submit = useAction({
    async mutationFn(values: UserValues) {
      const request = { params: { pid: partner.id, id } };
      const { removedUuids } = values;
      // Read again, so that a device which signed in meanwhile stays.
      const devices =
        removedUuids.length === 0 ? [] : (await api.call(userRoutes.getUser, request)).platforms;
      const staying = devices.map(({ uuid }) => uuid).filter((uuid) => !removedUuids.includes(uuid));
      return api.call(userRoutes.updateUser, {
        ...request,
        body: {
          ...editedUserBody(values, before, partner.licenseType),
          ...(removedUuids.length === 0 ? {} : { platformUuids: staying }),
        },
      });
    },
    async onSuccess(_, { name }) {
      await flow.finish(name, id);
      const stale = [userRoutes.listUsers, userRoutes.getUser, userRoutes.listGroups, userRoutes.getGroup];
      await Promise.all(stale.map((route) => queries.invalidateQueries({ queryKey: [route.id] })));
    },
    onError: flow.fail,
  });

  const { values } = flow;
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useUserCrumbs(t('edit'), user.data)}
      items={useUserItems(values, before, user.data?.platforms)}
      submitLabel={t('ui:save')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function UserEditCompletePage() {
  const { t } = useTranslation('users');
  const { partner } = usePartnerSession();
  const { result, resultId } = useFlow<UserValues>();
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useUserCrumbs(t('edit'))}
      message={t('updated', { name: result })}
      next={
        <>
          <ButtonLink to={userListPath}>{t('toList')}</ButtonLink>
          {resultId !== undefined && (
            <ButtonLink to={editLink(userDetailPath, resultId, partner.name)} variant="outline">
              {t('toDetail')}
            </ButtonLink>
          )}
        </>
      }
    />
  );
}
