import type { identityRoutes, RouteReply } from '@portal/contracts';
import { setPreferencesKnown } from '../lib/choices.ts';
import { rememberPartnerCode } from '../lib/partner-code.ts';
import type { Session } from '../lib/session/session-store.ts';
import { useSessionStore } from '../lib/session/use-session.ts';

/** What begins a session by the reply of a sign-in, whichever of its steps was the last. */
export interface Begin {
  admin(reply: RouteReply<typeof identityRoutes.adminLogin>): Promise<void>;
  partner(reply: RouteReply<typeof identityRoutes.partnerLogin>): Promise<void>;
}

/** With `owner`, who alone may go on: should the reply be somebody else's, the normal login comes. */
export function useBegin(owner?: Session): Begin {
  const store = useSessionStore();
  return {
    async admin({ accessToken, expiresIn, tokenType: _, ...profile }) {
      setPreferencesKnown(false);
      await store.begin('admin', profile, accessToken, expiresIn);
    },
    async partner({ accessToken, expiresIn, partner, twoFactorSetup, user }) {
      if (owner?.kind === 'partner' && (user.id !== owner.user.id || partner.id !== owner.partner.id))
        return store.end('loggedOut');
      setPreferencesKnown(false);
      rememberPartnerCode(partner.partnerCode);
      const email = user.email ?? user.loginUserId ?? '';
      const profile = { partner, user: { ...user, email }, twoFactorSetup };
      await store.begin('partner', profile, accessToken, expiresIn);
    },
  };
}
