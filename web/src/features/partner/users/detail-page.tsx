import { chakra, Flex } from '@chakra-ui/react';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { History } from '../../../components/operation-log/history.tsx';
import { useTenant, useTenantLinks } from '../../../components/tenant.ts';
import type { UserDetail } from '../../../components/users/user.ts';
import { InactiveMark, useRoleNames } from '../../../components/users/user-parts.tsx';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { useMay, useSession } from '../../../lib/session/use-session.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Link } from '../../../ui/link.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { DeleteUsers } from './delete-users.tsx';
import { DeliveredFiles } from './delivered-files.tsx';
import { DeviceTable } from './device-table.tsx';
import { FilesAhead } from './files-ahead.tsx';
import { PasswordMail } from './password-mail.tsx';
import { SignInActions } from './sign-in-actions.tsx';
import { useUser } from './use-user.ts';
import { useUserCrumbs } from './use-user-crumbs.ts';
import { UserDelivery } from './user-delivery.tsx';
import { userEditFlow } from './user-flows.ts';
import { UserFormLoader } from './user-form-loader.tsx';

export function UserDetailPage() {
  const { t } = useTranslation(['users', 'ui']);
  const may = useMay();
  const { name: partnerName } = useTenant();
  const user = useUser();
  return (
    <>
      <PageHeader
        title={user.data?.name ?? t('detail')}
        crumbs={useUserCrumbs(t('detail'))}
        action={
          user.data && (
            <>
              {/* Without an address there is no mail: an admin types another password into the form. */}
              {user.data.email !== null && may('sendResetMailTo') && (
                <PasswordMail id={user.data.id} name={user.data.name} email={user.data.email} />
              )}
              {may('updateUser') && (
                <ButtonLink
                  to={editLink(userEditFlow.paths.form, user.data.id, partnerName)}
                  variant="outline"
                  icon={<Pencil />}
                >
                  {t('ui:edit')}
                </ButtonLink>
              )}
            </>
          )
        }
      />
      {user.data ? <UserSections user={user.data} /> : <UserFormLoader queries={[user]} />}
    </>
  );
}

function UserSections({ user }: { user: UserDetail }) {
  const { t } = useTranslation(['users', 'delivery', 'ui']);
  const may = useMay();
  const navigate = useNavigate();
  const session = useSession();
  const { toList } = useTenantLinks();
  const [deleting, setDeleting] = useState(false);
  return (
    <chakra.div maxW="page">
      {!user.active && (
        <chakra.div mb="5">
          <Notice tone="warning">{t('states.inactiveText')}</Notice>
        </chakra.div>
      )}
      <Section title={t('sections.facts')}>
        <UserFacts user={user} />
      </Section>
      <Section title={t('devices.title')}>
        <DeviceTable caption={t('devices.title')} devices={user.platforms} />
      </Section>
      {may('listUserFiles') && (
        <Section title={t('delivered.title')} lead={t('delivered.help')}>
          <DeliveredFiles userId={user.id} />
        </Section>
      )}
      {may('listUserDelivery') && (
        <Section title={t('delivery:user.title')} lead={t('delivery:user.lead')}>
          <UserDelivery userId={user.id} />
        </Section>
      )}
      {may('listUserFilesAhead') && (
        <Section title={t('ahead.title')} lead={t('ahead.help')}>
          <FilesAhead userId={user.id} />
        </Section>
      )}
      <History kind="user" id={user.id} />
      {session?.kind === 'partner' && user.id !== session.user.id && (
        <Flex gap="2" wrap="wrap">
          <SignInActions user={user} />
          {may('deleteUsers') && (
            <Button
              variant="outline"
              colorPalette="danger"
              icon={<Trash2 />}
              onClick={() => setDeleting(true)}
            >
              {t('delete')}
            </Button>
          )}
        </Flex>
      )}
      <DeleteUsers
        users={deleting ? [user] : []}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate(toList('users'), { replace: true, flushSync: true })}
      />
    </chakra.div>
  );
}

function UserFacts({ user }: { user: UserDetail }) {
  const { t } = useTranslation(['users', 'ui']);
  const { dateTime, number } = useFormat();
  const namesOfRole = useRoleNames();
  const may = useMay();
  const { toDetail } = useTenantLinks();
  return (
    <Panel>
      <DescriptionList
        items={[
          { label: t('id'), value: user.id },
          user.email === null
            ? { label: t('loginUserId'), value: user.loginUserId }
            : { label: t('email'), value: user.email },
          {
            label: t('filters.state'),
            value: user.active ? t('states.active') : <InactiveMark user={user} />,
          },
          { label: t('role'), value: namesOfRole(user.role).join(', ') },
          {
            label: t('groups'),
            value:
              user.groups.length === 0 ? (
                t('noGroups')
              ) : (
                <Flex as="span" gap="3" rowGap="1" wrap="wrap">
                  {user.groups.map(({ id, name }) =>
                    may('getGroup') ? (
                      <Link key={id} to={toDetail('groups', id)}>
                        {name}
                      </Link>
                    ) : (
                      <span key={id}>{name}</span>
                    ),
                  )}
                </Flex>
              ),
          },
          {
            label: t('maxDeviceCount'),
            value: user.maxDeviceCountLimitedFlag
              ? t('deviceCount', { count: number(user.maxDeviceCount) })
              : t('unlimited'),
          },
          {
            label: t('filters.passwordState'),
            value: user.passwordSet
              ? t('passwordStates.set')
              : user.setupMailSentAt === null
                ? t('passwordStates.none')
                : t('setupMails.sentAt', { time: dateTime(user.setupMailSentAt) }),
          },
          { label: t('twoFactor.title'), value: t(user.twoFactor ? 'twoFactor.on' : 'twoFactor.off') },
          { label: t('json'), value: user.json || t('ui:none') },
          { label: t('lastLoginAt'), value: dateTime(user.lastLoginAt) },
          { label: t('createdAt'), value: dateTime(user.createdAt) },
          { label: t('updatedAt'), value: dateTime(user.updatedAt) },
        ]}
      />
    </Panel>
  );
}
