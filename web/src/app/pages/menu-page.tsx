import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { auth } from '../../i18n/ja/auth.ts';
import { useAdminSession } from '../../lib/session/use-session.ts';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { PlainLink } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import type { NavEntry } from '../navigation.ts';
import { useNavigation } from '../use-navigation.ts';

type Described = NavEntry & { label: keyof typeof auth.menu };

const described: readonly NavEntry['label'][] = ['units', 'partners', 'operationLogs', 'security'];
const isDescribed = (entry: NavEntry): entry is Described => described.includes(entry.label);

function MenuCards() {
  const { t } = useTranslation(['auth', 'shell']);
  const entries = useNavigation('admin')
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
              <chakra.span color="fg.muted">{t(`menu.${label}`)}</chakra.span>
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
      <MenuCards />
    </>
  );
}
