import { hasAnyRole, plans, type RouteContract } from '@portal/contracts';
import { createContext, use, useSyncExternalStore } from 'react';
import type { AdminSession, PartnerSession, Session, SessionStore } from './session-store.ts';

export const SessionContext = createContext<SessionStore | undefined>(undefined);

export function useSessionStore(): SessionStore {
  const store = use(SessionContext);
  if (!store) throw new Error('SessionContext is missing');
  return store;
}

export function useSession(): Session | undefined {
  const store = useSessionStore();
  return useSyncExternalStore(store.subscribe, store.current);
}

/** The session is over, and the page waits for its owner to sign in again. */
export function useHasLapsed(): boolean {
  const store = useSessionStore();
  return useSyncExternalStore(store.subscribe, store.hasLapsed);
}

/** For screens behind the admin guard. */
export function useAdminSession(): AdminSession {
  const session = useSession();
  if (session?.kind !== 'admin') throw new Error('Not an administrator');
  return session;
}

/** For screens behind the partner guard; `partner.id` is the `pid` of the calls. */
export function usePartnerSession(): PartnerSession {
  const session = useSession();
  if (session?.kind !== 'partner') throw new Error('Not a partner');
  return session;
}

/** What the server would answer `session` of itself: its role bits lack the right, or its contract the API. */
export function refusalOf(
  session: Session | undefined,
  { access }: RouteContract,
): 'E40301' | 'E40304' | undefined {
  const unless = (allowed: boolean) => (allowed ? undefined : 'E40301');
  switch (access.kind) {
    case 'public':
      return undefined;
    case 'admin':
      return unless(session?.kind === 'admin' && hasAnyRole(session.role, access.roles));
    case 'partner':
      if (session?.kind !== 'partner' || !hasAnyRole(session.user.role, access.roles)) return 'E40301';
      if (access.api && !plans[session.partner.contractRank].apis.includes(access.api)) return 'E40304';
      return undefined;
    case 'anyToken':
      return unless(session !== undefined);
    case 'tenant':
      return unless(session?.kind === 'partner');
    default:
      return 'E40301';
  }
}

/** Leaves out what the caller may not do: `may(userRoutes.createGroup)`. */
export function useMay(): (contract: RouteContract) => boolean {
  const session = useSession();
  return (contract) => refusalOf(session, contract) === undefined;
}
