import { accessOf } from 'virtual:access';
import { type Access, type AccessList, hasAnyRole, plans } from '@portal/contracts';
import { createContext, use, useSyncExternalStore } from 'react';
import type { Call } from './calls.ts';
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

/** The session has expired, and the page waits until the same user signs in again. */
export function useHasLapsed(): boolean {
  const store = useSessionStore();
  return useSyncExternalStore(store.subscribe, store.hasLapsed);
}

/** For screens behind either guard. */
export function useSignedIn(): Session {
  const session = useSession();
  if (!session) throw new Error('Nobody is signed in');
  return session;
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

type Refusal = 'E40301' | 'E40304' | undefined;

/** What the server would answer `session` to a call that lets these in: its role bits lack the right, or its contract the API. */
export function refusalOf(session: Session | undefined, access: AccessList): Refusal {
  const refusals = access.map((one) => refusalBy(session, one));
  if (refusals.includes(undefined)) return undefined;
  return refusals.find((refusal) => refusal === 'E40304') ?? 'E40301';
}

function refusalBy(session: Session | undefined, access: Access): Refusal {
  const unless = (allowed: boolean) => (allowed ? undefined : 'E40301');
  switch (access.kind) {
    case 'public':
      return undefined;
    case 'admin':
      return unless(
        session?.kind === 'admin' &&
          hasAnyRole(session.role, access.roles) &&
          !(access.platform && session.outsourcingFlag),
      );
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

/** Why the server would refuse this call to the caller, whatever it is about. */
export function useRefusal(): (call: Call) => Refusal {
  const session = useSession();
  return (call) => refusalOf(session, accessOf[call]);
}

/** Leaves out what the caller may not do: `may('createGroup')`. */
export function useMay(): (call: Call) => boolean {
  const refusalTo = useRefusal();
  return (call) => refusalTo(call) === undefined;
}
