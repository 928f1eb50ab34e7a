import { identityRoutes } from '@portal/contracts';
import { useEffect } from 'react';
import { signsOfLife } from '../lib/activity.ts';
import { useApi } from '../lib/api.ts';
import { useHasLapsed, useSession, useSessionStore } from '../lib/session/use-session.ts';

/** Milliseconds before its end at which the token of an active person is renewed, and how often that is looked at. */
const renewBefore = 10 * 60_000;
const interval = 30_000;
/** Who has done nothing for this long is no longer active. */
const idleAfter = 15 * 60_000;
/** The longest delay that a browser's timer can hold. */
const longestTimer = 2 ** 31 - 1;

/** Ends the session when its time is over, and renews it before that while somebody works. */
export function SessionKeeper() {
  const api = useApi();
  const store = useSessionStore();
  const session = useSession();
  const hasLapsed = useHasLapsed();
  const expiresAt = hasLapsed ? undefined : session?.expiresAt;

  useEffect(() => {
    if (expiresAt === undefined) return;
    let lastSign = Date.now();
    let renewing = false;
    const sign = () => {
      lastSign = Date.now();
    };
    const look = () => {
      if (Date.now() >= expiresAt) {
        store.lose('expired');
      } else if (!renewing && expiresAt - Date.now() < renewBefore && Date.now() - lastSign < idleAfter) {
        renewing = true;
        api
          .call(identityRoutes.refreshToken, {})
          .then(({ accessToken, expiresIn }) => store.renew(accessToken, expiresIn))
          // Tried again at the next look; a refused token has ended the session already.
          .catch(() => undefined)
          .finally(() => {
            renewing = false;
          });
      }
    };
    const timer = setInterval(look, interval);
    const end = setTimeout(look, Math.min(Math.max(0, expiresAt - Date.now()), longestTimer));
    for (const name of signsOfLife) window.addEventListener(name, sign, { passive: true });
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
      for (const name of signsOfLife) window.removeEventListener(name, sign);
      document.removeEventListener('visibilitychange', look);
    };
  }, [api, store, expiresAt]);

  return null;
}
