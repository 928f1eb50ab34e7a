import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { auth } from '../../i18n/ja/auth.ts';
import { useFormat } from '../../lib/format.ts';
import type { SessionKind } from '../../lib/session/session-store.ts';
import { useAdminSession, useMay, usePartnerSession } from '../../lib/session/use-session.ts';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { PlainLink } from '../../ui/link.tsx';
import { DescriptionList } from '../../ui/page/description-list.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import type { NavEntry } from '../navigation.ts';
import { useNavigation } from '../use-navigation.ts';

type Described = NavEntry & { label: keyof typeof auth.menu };

const isDescribed = (entry: NavEntry): entry is Described => entry.label !== 'home';

/** What each entry is for, by what the caller may do there. */
function useMenuText(): (label: Described['label']) => string {
  const { t } = useTranslation('auth');
  const may = useMay();
  return (label) => {
    if (label === 'users' && !may('createUser')) return t('menuReading.users');
    if (label === 'groups' && !may('createGroup')) return t('menuReading.groups');
    return t(`menu.${label}`);
  };
}

function MenuCards({ kind }: { kind: SessionKind }) {
  const { t } = useTranslation(['auth', 'shell']);
  const textOf = useMenuText();
  const entries = useNavigation(kind)
    .flatMap((area) => area.entries)
    .filter(isDescribed);
  if (entries.length === 0) return <EmptyState title={t('noEntries')} />;
  return (
    <chakra.ul
      display="grid"
      gap="3"
      gridTemplateColumns="repeat(auto-fill, minmax(min(18rem, 100%), 1fr))"
      css={{
        '& a': {
          display: 'flex',
          gap: '4',
          h: 'full',
          p: '5',
          bg: 'bg.panel',
          borderWidth: '1px',
          borderRadius: 'md',
          transition: 'border-color 120ms, box-shadow 120ms',
        },
        '& a:hover': { borderColor: 'accent.focusRing', boxShadow: 'md' },
        '& svg': { color: 'accent.fg', flexShrink: '0', mt: '0.5' },
      }}
    >
      {entries.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <PlainLink to={to}>
            <Icon size={22} strokeWidth={1.7} aria-hidden />
            <span>
              <chakra.strong display="block" fontSize="md" fontWeight="semibold">
                {t(`shell:nav.${label}`)}
              </chakra.strong>
              <chakra.span color="fg.muted">{textOf(label)}</chakra.span>
            </span>
          </PlainLink>
        </li>
      ))}
    </chakra.ul>
  );
}

export function AdminMenuPage() {
  const { t } = useTranslation('auth');
  const { name } = useAdminSession();
  return (
    <>
      <PageHeader title={t('menuTitle')} lead={t('welcome', { name })} />
      <MenuCards kind="admin" />
    </>
  );
}

export function PartnerMenuPage() {
  const { t } = useTranslation('auth');
  const format = useFormat();
  const { partner, user } = usePartnerSession();
  const end = partner.licenseExpiredOnUnixtime;
  return (
    <>
      <PageHeader title={t('menuTitle')} lead={t('welcome', { name: user.name })} />
      <MenuCards kind="partner" />
      <chakra.h2 mt="8" mb="2" fontSize="md" fontWeight="semibold">
        {t('contract')}
      </chakra.h2>
      <Panel maxW="form">
        <DescriptionList
          items={[
            { label: t('partnerCode'), value: partner.partnerCode },
            { label: t('rank'), value: t(`ranks.${partner.contractRank}`) },
            { label: t('licenseType'), value: t(`licenseTypes.${partner.licenseType}`) },
            {
              label: t('licenseExpiresOn'),
              value: end === null ? t('noExpiry') : format.date(new Date(end * 1000).toISOString()),
            },
          ]}
        />
      </Panel>
    </>
  );
}
