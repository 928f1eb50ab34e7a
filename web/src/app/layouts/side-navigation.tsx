import { chakra } from '@chakra-ui/react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import type { SessionKind } from '../../lib/session/session-store.ts';
import { PlainLink } from '../../ui/link.tsx';
import { useNavigation } from '../use-navigation.ts';

const listStyles = {
  '& a': {
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    minH: '9',
    px: '3',
    borderRadius: 'sm',
    color: 'fg.muted',
    fontWeight: 'medium',
  },
  '& a:hover': { bg: 'bg.muted', color: 'fg' },
  '& a[aria-current=page]': { bg: 'accent.subtle', color: 'accent.fg', fontWeight: 'semibold' },
} as const;

/** The pages of one area of the product that the caller may use. */
export function SideNavigation({ kind }: { kind: SessionKind }) {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const areas = useNavigation(kind);
  // A page belongs to the entry whose address says most of its own.
  const current = areas
    .flatMap(({ entries }) => entries.map(({ to }) => to))
    .filter((to) => pathname === to || pathname.startsWith(`${to}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  return (
    <nav aria-label={t('navigation')}>
      {areas.map(({ label, entries }) => (
        <chakra.div key={label ?? 'home'} mb="4">
          {label && (
            <chakra.p px="3" mb="1" fontSize="xs" fontWeight="semibold" color="fg.subtle">
              {t(`area.${label}`)}
            </chakra.p>
          )}
          <chakra.ul css={listStyles}>
            {entries.map(({ to, label: name, icon: Icon, waiting: Waiting }) => (
              <li key={to}>
                <PlainLink to={to} aria-current={to === current ? 'page' : undefined}>
                  <Icon size={17} strokeWidth={1.8} aria-hidden />
                  {t(`nav.${name}`)}
                  {Waiting && (
                    <Suspense fallback={null}>
                      <Waiting />
                    </Suspense>
                  )}
                </PlainLink>
              </li>
            ))}
          </chakra.ul>
        </chakra.div>
      ))}
    </nav>
  );
}
