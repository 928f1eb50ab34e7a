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

/** Whether the server would let `session` call the route: its role bits and its contract's APIs. */
export function mayCall(session: Session | undefined, { access }: RouteContract): boolean {
  switch (access.kind) {
    case 'public':
      return true;
    case 'admin':
      return session?.kind === 'admin' && hasAnyRole(session.role, access.roles);
    case 'partner':
      return (
        session?.kind === 'partner' &&
        hasAnyRole(session.user.role, access.roles) &&
        (access.api === undefined || plans[session.partner.contractRank].apis.includes(access.api))
      );
    case 'anyToken':
      return session !== undefined;
    case 'tenant':
      return session?.kind === 'partner';
    default:
      return false;
  }
}

/** Leaves out what the caller may not do: `may(userRoutes.createGroup)`. */
export function useMay(): (contract: RouteContract) => boolean {
  const session = useSession();
  return (contract) => mayCall(session, contract);
}
