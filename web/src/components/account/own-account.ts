import { sessionRoutes, twoFactorRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useApiQuery } from '../../lib/api.ts';
import type { Session } from '../../lib/session/session-store.ts';
import { useSignedIn } from '../../lib/session/use-session.ts';

/** The calls of an account about itself. */
const calls = {
  admin: {
    twoFactor: twoFactorRoutes.getAdminTwoFactor,
    begin: twoFactorRoutes.beginAdminTwoFactor,
    enable: twoFactorRoutes.enableAdminTwoFactor,
    disable: twoFactorRoutes.disableAdminTwoFactor,
    renewCodes: twoFactorRoutes.renewAdminRecoveryCodes,
    sessions: sessionRoutes.listAdminSessions,
    endSession: sessionRoutes.endAdminSession,
    endOthers: sessionRoutes.endOtherAdminSessions,
  },
  partner: {
    twoFactor: twoFactorRoutes.getPartnerTwoFactor,
    begin: twoFactorRoutes.beginPartnerTwoFactor,
    enable: twoFactorRoutes.enablePartnerTwoFactor,
    disable: twoFactorRoutes.disablePartnerTwoFactor,
    renewCodes: twoFactorRoutes.renewPartnerRecoveryCodes,
    sessions: sessionRoutes.listPartnerSessions,
    endSession: sessionRoutes.endPartnerSession,
    endOthers: sessionRoutes.endOtherPartnerSessions,
  },
} as const;

export const useOwnCalls = () => calls[useSignedIn().kind];

/** What somebody signs in with. */
export const loginOf = (session: Session): string =>
  session.kind === 'admin' ? session.email : session.user.email;

export function useTwoFactor() {
  return useApiQuery(useOwnCalls().twoFactor, {});
}

/** Has what two factors change asked for again; turning them on or off ends the other sessions. */
export function useTwoFactorChanged(): () => Promise<unknown> {
  const queries = useQueryClient();
  const { sessions, twoFactor } = useOwnCalls();
  return () =>
    Promise.all([twoFactor, sessions].map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
}
