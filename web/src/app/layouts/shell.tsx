import { Box, chakra, Flex } from '@chakra-ui/react';
import { identityRoutes } from '@portal/contracts';
import { KeyRound, LogOut, Menu } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useMatches, useNavigation } from 'react-router-dom';
import { useApi } from '../../lib/api.ts';
import { isPageHandle } from '../../lib/route-page.ts';
import type { Session } from '../../lib/session/session-store.ts';
import { useRefusal, useSession, useSessionStore } from '../../lib/session/use-session.ts';
import { hasUnsavedWork } from '../../lib/unsaved-work.ts';
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx';
import { LeaveDialog, LeaveQuestion } from '../../ui/feedback/leave-question.tsx';
import { ForbiddenPage } from '../pages/forbidden-page.tsx';
import { Brand, Footer, onDark, Preferences, SkipLink } from './chrome.tsx';
import { Drawer } from './drawer.tsx';
import { SideNavigation } from './side-navigation.tsx';

/** Milliseconds that a logout waits for the server. */
const logoutPatience = 3000;

function useLogout(): () => void {
  const api = useApi();
  const store = useSessionStore();
  return () => {
    const session = store.current();
    if (!session) return;
    const contract = session.kind === 'admin' ? identityRoutes.adminLogout : identityRoutes.partnerLogout;
    // The session ends here whatever the server says, and soon: an unreachable server must not keep anybody signed in.
    const told = api.call(contract, {}).catch(() => undefined);
    const enough = new Promise((resolve) => setTimeout(resolve, logoutPatience));
    void Promise.race([told, enough]).then(() => store.end('loggedOut'));
  };
}

/** Moves the focus to the new page, as a page load would; after the drawer, which makes the page inert while it is open. */
function useFocusOnNavigation(isDrawerOpen: boolean): void {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (isDrawerOpen || previous.current === pathname) return;
    previous.current = pathname;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname, isDrawerOpen]);
}

/** Who is signed in, and for which company. */
function namesOf(session: Session): { person: string; company?: string } {
  return session.kind === 'admin'
    ? { person: session.name }
    : { person: session.user.name, company: session.partner.name };
}

/** The buttons of the top bar that move into the drawer on narrow screens. */
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
  const { company, person } = namesOf(session);
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
      <Flex ms="auto" align="center" gap="0.5" minW="0" role="group" aria-label={t('account')}>
        <chakra.span display={{ base: 'none', md: 'inline' }} color="#d4dfea" fontSize="xs" me="2" truncate>
          {person}
        </chakra.span>
        <Preferences />
        <ButtonLink
          to={`/${kind}/password/update`}
          size="xs"
          variant="ghost"
          {...onDark}
          display={{ base: 'none', md: 'inline-flex' }}
          icon={<KeyRound />}
        >
          {t('changePassword')}
        </ButtonLink>
        <LogoutButton />
      </Flex>
    </Flex>
  );
}

/** Asks first if the page holds unsaved work. */
function LogoutButton() {
  const { t } = useTranslation('shell');
  const logout = useLogout();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="ghost"
        {...onDark}
        icon={<LogOut />}
        onClick={() => (hasUnsavedWork() ? setAsking(true) : logout())}
      >
        <chakra.span display={{ base: 'none', sm: 'inline' }}>{t('logout')}</chakra.span>
        <chakra.span srOnly display={{ sm: 'none' }}>
          {t('logout')}
        </chakra.span>
      </Button>
      <LeaveDialog
        open={asking}
        leaveLabel={t('discardAndLogout')}
        onLeave={() => {
          setAsking(false);
          logout();
        }}
        onStay={() => setAsking(false)}
      />
    </>
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
            {refusal ? <ForbiddenPage reason={refusal} /> : <Outlet />}
          </chakra.main>
          <Footer />
        </Flex>
      </Flex>
      <Drawer open={drawer} label={t('navigation')} onClose={() => setDrawer(false)}>
        <Names session={session} />
        <SideNavigation kind={session.kind} />
        <ButtonLink
          to={`/${session.kind}/password/update`}
          variant="ghost"
          colorPalette="gray"
          icon={<KeyRound />}
        >
          {t('changePassword')}
        </ButtonLink>
      </Drawer>
    </Flex>
  );
}
