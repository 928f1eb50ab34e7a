import { chakra, Stack } from '@chakra-ui/react';
import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { loginOf } from '../../components/account/own-account.ts';
import { LookChoices } from '../../components/look-choices.tsx';
import { useSignedIn } from '../../lib/session/use-session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DescriptionList } from '../../ui/page/description-list.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Section } from '../../ui/page/section.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { OwnTwoFactor } from './own-two-factor.tsx';

/** What somebody sees to for themselves, in either area. */
export function AccountPage() {
  const { t } = useTranslation(['account', 'shell']);
  const session = useSignedIn();
  const name = session.kind === 'admin' ? session.name : session.user.name;
  return (
    <>
      <PageHeader
        title={t('title')}
        crumbs={[{ label: t('shell:home'), to: `/${session.kind}/menu` }, { label: t('title') }]}
      />
      <chakra.div maxW="form">
        <Section title={t('profile')}>
          <Panel>
            <DescriptionList
              items={[
                { label: t('name'), value: name },
                { label: t('login'), value: loginOf(session) },
              ]}
            />
          </Panel>
        </Section>
        <Section title={t('look')} lead={t('lookLead')}>
          <Panel p="5">
            <Stack gap="4" maxW="22rem">
              <LookChoices />
            </Stack>
          </Panel>
        </Section>
        <Section title={t('password')}>
          <Panel p="5">
            <ButtonLink to={`/${session.kind}/password/update`} variant="outline" icon={<KeyRound />}>
              {t('shell:changePassword')}
            </ButtonLink>
          </Panel>
        </Section>
        <Section title={t('twoFactor.title')} lead={t('twoFactor.lead')}>
          <OwnTwoFactor />
        </Section>
        <OwnSessions />
      </chakra.div>
    </>
  );
}
