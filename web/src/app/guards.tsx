import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { requiredSetupPath } from '../components/account-paths.ts';
import { SignInAgain } from '../components/sign-in-again.tsx';
import { collectionsPath, databaseKey } from '../lib/database-key.ts';
import { loadTexts } from '../lib/i18n.ts';
import { partnerLoginPath } from '../lib/partner-code.ts';
import { ownerOf, type SessionKind } from '../lib/session/session-store.ts';
import { useHasLapsed, useSession, useSessionStore } from '../lib/session/use-session.ts';
import { hasUnsavedWork } from '../lib/unsaved-work.ts';
import { Dialog } from '../ui/feedback/dialog.tsx';
import { PageSpinner } from '../ui/feedback/states.tsx';

/** Which leads back to the page that was wanted. */
function ToLogin({ kind, from }: { kind: SessionKind; from: string | undefined }) {
  const store = useSessionStore();
  const login = kind === 'admin' ? '/admin/login' : partnerLoginPath();
  const state = store.ended() === 'loggedOut' || from === undefined ? null : { from };
  return <Navigate to={login} replace state={state} />;
}

/**
 * The pages behind a sign-in. Without one the login comes first, and for who has to set up two factors that does, unless they have
 * signed in again over a page with unsaved work, which stays behind.
 */
export function RequireSession({ kind }: { kind: SessionKind }) {
  const session = useSession();
  const hasLapsed = useHasLapsed();
  const { pathname, search } = useLocation();
  const from = pathname + search;
  if (session?.kind !== kind) return <ToLogin kind={kind} from={from} />;
  if (session.twoFactorSetup && !hasLapsed && !hasUnsavedWork())
    return <Navigate to={requiredSetupPath(kind)} replace state={{ from }} />;
  return (
    <>
      {/* A page ends with its person, also where another one has signed in in another tab. */}
      <Outlet key={ownerOf(session)} />
      {hasLapsed && <SignInAgain session={session} />}
      {session.twoFactorSetup && !hasLapsed && <SetupOverPage />}
    </>
  );
}

/** The editor of documents: with the session of a company's person, or with the key of its database. */
export function RequireSessionOrKey() {
  return databaseKey() ? <Outlet /> : <RequireSession kind="partner" />;
}

/** The page for setting up two factors where they are required, for who has to; it leads on to the page that was wanted. */
export function SettingUp({ kind }: { kind: SessionKind }) {
  const session = useSession();
  const hasLapsed = useHasLapsed();
  const { state } = useLocation();
  const wanted = wantedPage(state);
  if (session?.kind !== kind) return <ToLogin kind={kind} from={wanted} />;
  if (!session.twoFactorSetup) return <ToWanted kind={kind} wanted={wanted} />;
  return (
    <>
      <Outlet />
      {hasLapsed && <SignInAgain session={session} />}
    </>
  );
}

function ToWanted({ kind, wanted }: { kind: SessionKind; wanted: string | undefined }) {
  const isOfArea =
    wanted?.startsWith(`/${kind}/`) || (kind === 'partner' && wanted?.startsWith(collectionsPath));
  return <Navigate to={wanted !== undefined && isOfArea ? wanted : `/${kind}/menu`} replace />;
}

function wantedPage(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  return typeof state.from === 'string' ? state.from : undefined;
}

/** The login pages: who is signed in goes to the page that was wanted, or to the home of the area. */
export function GuestOnly({ kind }: { kind: SessionKind }) {
  const session = useSession();
  const hasLapsed = useHasLapsed();
  const { state } = useLocation();
  if (session?.kind !== kind || hasLapsed) return <Outlet />;
  return <ToWanted kind={kind} wanted={wantedPage(state)} />;
}

/** Over a page with unsaved work: what the page asked of the server goes on when its owner asks again. */
function SetupOverPage() {
  const { t } = useTranslation('auth');
  return (
    <Dialog open persistent onClose={() => undefined} title={t('setUpFirst')} width="form">
      <Suspense fallback={<PageSpinner />}>
        <RequiredSetup />
      </Suspense>
    </Dialog>
  );
}

const RequiredSetup = lazy(async () => {
  const [{ RequiredSetup }] = await Promise.all([
    import('../features/account/required-setup-page.tsx'),
    loadTexts(['account']),
  ]);
  return { default: RequiredSetup };
});

/** `/`: the home page of the signed-in user, or the company login. */
export function Start() {
  const session = useSession();
  return <Navigate to={session ? `/${session.kind}/menu` : partnerLoginPath()} replace />;
}
