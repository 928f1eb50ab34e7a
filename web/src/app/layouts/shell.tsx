import { Box, chakra, Flex } from '@chakra-ui/react';
import { Menu } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useMatches, useNavigation, useSearchParams } from 'react-router-dom';
import { begunUploadsKey, uploadOwner } from '../../components/upload/begun-uploads-key.ts';
import { useUploadStore } from '../../components/upload/uploads.ts';
import { arePreferencesKnown, onChoice, unkeptChoices } from '../../lib/choices.ts';
import { loadTexts } from '../../lib/i18n.ts';
import { isPageHandle } from '../../lib/route-page.ts';
import type { Session, SessionKind } from '../../lib/session/session-store.ts';
import { useRefusal, useSession } from '../../lib/session/use-session.ts';
import { IconButton } from '../../ui/button.tsx';
import { LeaveQuestion } from '../../ui/feedback/leave-question.tsx';
import { onDark } from '../../ui/on-dark.ts';
import { PaletteButton } from '../palette/palette-button.tsx';
import { AccountMenu, namesOf } from './account-menu.tsx';
import { Brand, Footer, SkipLink } from './chrome.tsx';
import { Drawer } from './drawer.tsx';
import { SideNavigation } from './side-navigation.tsx';

const ForbiddenPage = lazy(async () => ({
  default: (await import('../pages/forbidden-page.tsx')).ForbiddenPage,
}));

/** It is needed when the first screen is there. */
const PreferencesKeeper = lazy(async () => ({
  default: (await import('../../features/account/preferences-keeper.tsx')).PreferencesKeeper,
}));

const NoticeBell = lazy(async () => {
  const [{ NoticeBell: Component }] = await Promise.all([
    import('../../features/notices/notice-bell.tsx'),
    loadTexts(['ownNotices']),
  ]);
  return { default: Component };
});

/** Only where there is something to ask the server, or to tell it: a page that is loaded again has neither. */
function Preferences({ kind }: { kind: SessionKind }) {
  const [isNeeded, setIsNeeded] = useState(
    () => !arePreferencesKnown() || Object.keys(unkeptChoices()).length > 0,
  );
  useEffect(() => onChoice(() => setIsNeeded(true)), []);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <PreferencesKeeper kind={kind} />
    </Suspense>
  );
}

const PartnerUploads = lazy(async () => {
  const [{ PartnerUploads }] = await Promise.all([
    import('../../features/partner/files/upload/partner-uploads.tsx'),
    loadTexts(['files']),
  ]);
  return { default: PartnerUploads };
});
const AdminUploads = lazy(async () => {
  const [{ AdminUploads }] = await Promise.all([
    import('../../features/admin/applications/admin-uploads.tsx'),
    loadTexts(['files']),
  ]);
  return { default: AdminUploads };
});

/** Only for who has begun an upload in this browser; of administrators, in this tab: others are on the pages of their records. */
function Uploads({ session }: { session: Session }) {
  const store = useUploadStore();
  const [wereBegun] = useState(
    () => session.kind === 'partner' && localStorage.getItem(begunUploadsKey(uploadOwner(session))) !== null,
  );
  if (!store && !wereBegun) return null;
  return (
    <Suspense fallback={null}>{session.kind === 'partner' ? <PartnerUploads /> : <AdminUploads />}</Suspense>
  );
}

/** The record that the page is about: that of another one is another page, though its address differs in the query alone. */
function useRecordOfAddress(): string | null {
  const [params] = useSearchParams();
  return params.get('id');
}

/** Moves the focus to the new page, as a page load would; after the drawer, which makes the page inert while it is open. */
function useFocusOnNavigation(isDrawerOpen: boolean): void {
  const page = `${useLocation().pathname} ${useRecordOfAddress()}`;
  const previous = useRef(page);
  useEffect(() => {
    if (isDrawerOpen || previous.current === page) return;
    previous.current = page;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [page, isDrawerOpen]);
}

/** Who is signed in, for which company: on narrow screens in the drawer. */
function Names({ session }: { session: Session }) {
  const { company, person } = namesOf(session);
  return (
    <chakra.div px="3" mb="4" overflowWrap="anywhere">
      {company && <chakra.p fontWeight="semibold">{company}</chakra.p>}
      <chakra.p fontSize="xs" color="fg.muted">
        {person}
      </chakra.p>
    </chakra.div>
  );
}

function TopBar({ onMenu }: { onMenu: () => void }) {
  const { t } = useTranslation('shell');
  const session = useSession();
  if (!session) return null;
  const { kind } = session;
  const { company } = namesOf(session);
  return (
    <Flex
      as="header"
      align="center"
      gap={{ base: '1', md: '3' }}
      h="12"
      px={{ base: '2', md: '4' }}
      bg="bg.header"
    >
      <IconButton
        {...onDark}
        display={{ lg: 'none' }}
        label={t('openNavigation')}
        icon={<Menu />}
        onClick={onMenu}
      />
      <Brand to={`/${kind}/menu`} />
      {company && (
        <chakra.span
          display={{ base: 'none', md: 'inline' }}
          ps="3"
          borderStartWidth="1px"
          borderColor="rgb(255 255 255 / 25%)"
          color="#d4dfea"
          truncate
        >
          {company}
        </chakra.span>
      )}
      <Flex ms="auto" minW="0" align="center" gap="1">
        <PaletteButton />
        <Suspense fallback={<Box w="8" />}>
          <NoticeBell session={session} />
        </Suspense>
        <AccountMenu session={session} />
      </Flex>
    </Flex>
  );
}

/** A thin line while the next page's code loads. */
function NavigationProgress() {
  const { state } = useNavigation();
  return (
    <Box
      aria-hidden
      position="fixed"
      top="0"
      insetStart="0"
      zIndex="toast"
      h="2px"
      bg="accent.focusRing"
      w={state === 'idle' ? '0' : '70%'}
      opacity={state === 'idle' ? 0 : 1}
      transition="width 400ms ease-out, opacity 120ms"
    />
  );
}

/** The frame of every page behind a sign-in. */
export function Shell() {
  const { t } = useTranslation('shell');
  const session = useSession();
  const refusalTo = useRefusal();
  const matches = useMatches();
  const { pathname } = useLocation();
  const recordId = useRecordOfAddress();
  const [drawer, setDrawer] = useState(false);
  useFocusOnNavigation(drawer);

  // A new page closes the drawer.
  useEffect(() => setDrawer(false), [pathname]);

  if (!session) return null;
  const [refusal] = matches.flatMap(({ handle }) =>
    isPageHandle(handle) ? (refusalTo(handle.needs) ?? []) : [],
  );
  return (
    <Flex direction="column" minH="100dvh">
      <SkipLink />
      <NavigationProgress />
      <LeaveQuestion />
      <Preferences kind={session.kind} />
      <TopBar onMenu={() => setDrawer(true)} />
      <Flex flex="1" align="stretch">
        <Box
          display={{ base: 'none', lg: 'block' }}
          w="nav"
          flexShrink="0"
          bg="bg.panel"
          borderEndWidth="1px"
          px="3"
          py="4"
        >
          <Box position="sticky" top="4">
            <SideNavigation kind={session.kind} />
          </Box>
        </Box>
        <Flex direction="column" flex="1" minW="0">
          <chakra.main
            id="main"
            tabIndex={-1}
            outline="0"
            flex="1"
            w="full"
            maxW="page"
            px={{ base: '4', md: '8' }}
            py={{ base: '4', md: '6' }}
          >
            {refusal ? (
              <Suspense fallback={null}>
                <ForbiddenPage reason={refusal} />
              </Suspense>
            ) : (
              // Nothing that was typed or asked of one record is seen of the next.
              <Outlet key={recordId} />
            )}
          </chakra.main>
          <Footer />
        </Flex>
      </Flex>
      <Uploads session={session} />
      <Drawer open={drawer} label={t('navigation')} onClose={() => setDrawer(false)}>
        <Names session={session} />
        <SideNavigation kind={session.kind} />
      </Drawer>
    </Flex>
  );
}
