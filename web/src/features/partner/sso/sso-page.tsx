import { Badge, chakra, Flex, Stack } from '@chakra-ui/react';
import { LockKeyhole, Pencil, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CertificateEnd } from '../../../components/certificates/certificate-end.tsx';
import { certificateStateOf } from '../../../components/certificates/certificate-state.ts';
import { useGroupName } from '../../../components/groups/group-choices.ts';
import { daysUntil } from '../../../components/licence-end.tsx';
import { partnerDetailLink } from '../../../components/partner-links.ts';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useTenant } from '../../../components/tenant.ts';
import { useFormat } from '../../../lib/format.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { CopyValue } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { type DescriptionItem, DescriptionList } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { DeleteSso } from './delete-sso.tsx';
import { ProvisioningTokens } from './provisioning-tokens.tsx';
import { useReasonWords } from './reason-words.ts';
import { SignIns } from './sign-ins.tsx';
import { SsoGuide } from './sso-guide.tsx';
import type { SsoSetting } from './sso-rules.ts';
import { SsoTest } from './sso-test.tsx';
import {
  type ProviderValues,
  useProviderValues,
  useSsoCrumbs,
  useSsoLinks,
  useSsoSetting,
} from './use-sso.ts';

/** Single sign-on of a company: how it stands, what the identity provider has to know, and how to register it there. */
export function SsoPage() {
  const { t } = useTranslation('sso');
  const { id, isOwn, name } = useTenant();
  const { toForm } = useSsoLinks();
  const { data, error, refetch } = useSsoSetting();
  const isMissing = error?.code === 'E40401';
  const values = useProviderValues(data);
  const home = isOwn ? '/partner/menu' : partnerDetailLink({ id, name });
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        crumbs={useSsoCrumbs()}
        action={
          data && (
            <ButtonLink to={toForm} variant="outline" icon={<Pencil />}>
              {t('edit')}
            </ButtonLink>
          )
        }
      />
      <chakra.div maxW="page">
        {error?.code === 'E40304' && (
          <Panel>
            <EmptyState
              title={t('noPlan')}
              icon={<LockKeyhole size={32} strokeWidth={1.5} aria-hidden />}
              action={
                <ButtonLink to={home} variant="outline">
                  {t('home')}
                </ButtonLink>
              }
            >
              {t('noPlanText')}
            </EmptyState>
          </Panel>
        )}
        {!data && !isMissing && error?.code !== 'E40304' && (
          <RecordLoader
            queries={[{ error, refetch }]}
            rows={12}
            action={<ButtonLink to={home}>{t('home')}</ButtonLink>}
          />
        )}
        {isMissing && (
          <Panel mb="7">
            <EmptyState
              title={t('emptyTitle')}
              action={
                <ButtonLink to={toForm} icon={<Plus />}>
                  {t('create')}
                </ButtonLink>
              }
            >
              {t('emptyText')}
            </EmptyState>
          </Panel>
        )}
        {data && (
          <>
            <SsoNotices setting={data} />
            <SsoState setting={data} />
            <SsoTest />
            <SignIns />
          </>
        )}
        {(data || isMissing) && values && (
          <>
            <ValuesOfPortal values={values} />
            <ProvisioningTokens scimUrl={values.scimUrl} />
            <SsoGuide values={values} isSet={data !== undefined} />
          </>
        )}
        {data && !isOwn && <DeleteSso />}
      </chakra.div>
    </>
  );
}

/** What an admin should do something about. */
function SsoNotices({ setting }: { setting: SsoSetting }) {
  const { t } = useTranslation('sso');
  const { dateTime } = useFormat();
  const wordsOf = useReasonWords();
  const { certificateExpiresAt: end, lastError, lastLoginAt, metadataUrl, useSsoFlag } = setting;
  const state = end === null ? 'running' : certificateStateOf(end);
  const count = end === null ? 0 : daysUntil(new Date(end));
  // Once somebody has signed in since, it was that person or moment alone.
  const isError = lastError !== null && (lastLoginAt === null || lastLoginAt < lastError.at);
  if (useSsoFlag && state === 'running' && !isError) return null;
  return (
    <Stack gap="3" mb="7">
      {!useSsoFlag && <Notice tone="warning">{t('offNotice')}</Notice>}
      {state === 'over' && <Notice tone="error">{t('certificateOver')}</Notice>}
      {state === 'endsSoon' && (
        <Notice tone="warning">
          {t(metadataUrl === null ? 'certificateSoon' : 'certificateSoonByUrl', { count })}
        </Notice>
      )}
      {isError && (
        <Notice tone="warning">
          <p>
            {t('errorNotice', { at: dateTime(lastError.at) })} {wordsOf(lastError.reason).what}
          </p>
          <p>
            {t('mend')}: {wordsOf(lastError.reason).mend}
          </p>
        </Notice>
      )}
    </Stack>
  );
}

function SsoState({ setting }: { setting: SsoSetting }) {
  const { t } = useTranslation('sso');
  const { dateTime } = useFormat();
  const wordsOf = useReasonWords();
  const { lastError, lastLoginAt } = setting;
  return (
    <Section title={t('state')}>
      <Panel>
        <DescriptionList
          items={[
            { label: t('state'), value: <StateBadges setting={setting} /> },
            {
              label: t('certificate'),
              value: <CertificateEnd expiresAt={setting.certificateExpiresAt} />,
            },
            { label: t('lastLogin'), value: lastLoginAt ? dateTime(lastLoginAt) : t('never') },
            {
              label: t('lastError'),
              value: lastError ? (
                <>
                  {dateTime(lastError.at)} {wordsOf(lastError.reason).what}
                  <chakra.span display="block" fontSize="xs" color="fg.muted">
                    {t('told')}: <code>{lastError.reason}</code>
                  </chakra.span>
                </>
              ) : (
                t('noError')
              ),
            },
            ...useSettingFacts(setting),
          ]}
        />
      </Panel>
    </Section>
  );
}

function StateBadges({ setting: { ssoOnly, useSsoFlag } }: { setting: SsoSetting }) {
  const { t } = useTranslation('sso');
  return (
    <Flex as="span" gap="2" wrap="wrap">
      <Badge colorPalette={useSsoFlag ? 'success' : 'gray'}>{t(useSsoFlag ? 'on' : 'off')}</Badge>
      {useSsoFlag && ssoOnly && <Badge colorPalette="info">{t('onlySso')}</Badge>}
    </Flex>
  );
}

function useSettingFacts(setting: SsoSetting): readonly DescriptionItem[] {
  const { t } = useTranslation('sso');
  const { dateTime } = useFormat();
  const { defaultGroup, groupAttribute, loginUrl, metadataFetchedAt, metadataUrl, usernameAttribute } =
    setting;
  const groupName = useGroupName(defaultGroup ?? 0);
  const code = (text: string | null, otherwise: string) => (text === null ? otherwise : <code>{text}</code>);
  return [
    {
      label: t('metadata'),
      value:
        metadataUrl === null || metadataFetchedAt === null
          ? (metadataUrl ?? t('given'))
          : t('fetchedAt', { url: metadataUrl, at: dateTime(metadataFetchedAt) }),
    },
    { label: t('usernameAttribute'), value: code(usernameAttribute, t('nameId')) },
    { label: t('groupAttribute'), value: code(groupAttribute, t('none')) },
    { label: t('defaultGroup'), value: defaultGroup === null ? t('none') : (groupName ?? '') },
    { label: t('loginUrl'), value: loginUrl ?? t('fromMetadata') },
  ];
}

/** What is entered at the identity provider, to copy. */
function ValuesOfPortal({ values }: { values: ProviderValues }) {
  const { t } = useTranslation('sso');
  return (
    <Section title={t('values')} lead={t('valuesLead')}>
      <Panel>
        <DescriptionList
          items={(['entityId', 'acsUrl', 'spMetadataUrl', 'sloUrl'] as const).map((name) => ({
            label: t(name),
            value: <CopyValue text={values[name]} label={t('copy', { name: t(name) })} />,
          }))}
        />
      </Panel>
    </Section>
  );
}
