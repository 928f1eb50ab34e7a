import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { SignInAgain } from '../components/sign-in-again.tsx';
import { partnerLoginPath } from '../lib/partner-code.ts';
import type { SessionKind } from '../lib/session/session-store.ts';
import { useHasLapsed, useSession, useSessionStore } from '../lib/session/use-session.ts';

/** The pages behind a sign-in. Without one the login comes first, and leads back to the page that was wanted. */
export function RequireSession({ kind }: { kind: SessionKind }) {
  const session = useSession();
  const store = useSessionStore();
  const hasLapsed = useHasLapsed();
  const { pathname, search } = useLocation();
  if (session?.kind === kind) {
    return (
      <>
        <Outlet />
        {hasLapsed && <SignInAgain session={session} />}
      </>
    );
  }
  const login = kind === 'admin' ? '/admin/login' : partnerLoginPath();
  const state = store.ended() === 'loggedOut' ? null : { from: pathname + search };
  return <Navigate to={login} replace state={state} />;
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
  const wanted = wantedPage(state);
  return <Navigate to={wanted?.startsWith(`/${kind}/`) ? wanted : `/${kind}/menu`} replace />;
}

/** `/`: the home page of the signed-in user, or the company login. */
export function Start() {
  const session = useSession();
  return <Navigate to={session ? `/${session.kind}/menu` : partnerLoginPath()} replace />;
}
