import { identityRoutes } from '@portal/contracts';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { signsOfLife } from '../lib/activity.ts';
import { useApi } from '../lib/api.ts';
import { failureOf } from '../lib/contract-form.ts';
import { useFormat } from '../lib/format.ts';
import { useHasLapsed, useSession, useSessionStore } from '../lib/session/use-session.ts';
import { useAnnouncer } from '../ui/feedback/announcer.tsx';

/** Milliseconds before its end at which the token of an active person is renewed, and how often that is looked at. */
const renewBefore = 10 * 60_000;
const interval = 30_000;
/** Milliseconds before its end at which the user of a session that is not renewed is warned. */
const warnBefore = 2 * 60_000;
/** A user without activity for this long counts as inactive. */
const idleAfter = 15 * 60_000;
/** The longest delay that a browser's timer can hold. */
const longestTimer = 2 ** 31 - 1;

/** Ends the session when it expires. Before that, it renews the session of an active user and warns an inactive one. */
export function SessionKeeper() {
  const { t } = useTranslation('auth');
  const { timeOfDay } = useFormat();
  const { toast } = useAnnouncer();
  const api = useApi();
  const store = useSessionStore();
  const session = useSession();
  const hasLapsed = useHasLapsed();
  const expiresAt = hasLapsed ? undefined : session?.expiresAt;

  useEffect(() => {
    if (expiresAt === undefined) return;
    let lastSign = Date.now();
    let renewal: Promise<void> | undefined;
    let closeWarning: (() => void) | undefined;
    const isActive = () => Date.now() - lastSign < idleAfter;

    async function renew(): Promise<void> {
      renewal ??= api
        .call(identityRoutes.refreshToken, {})
        .then(({ accessToken, expiresIn }) => store.renew(accessToken, expiresIn))
        .finally(() => {
          renewal = undefined;
        });
      return renewal;
    }

    function warn(): void {
      // A refused token has ended the session already.
      const isOver = store.hasLapsed() || store.current() === undefined;
      if (isOver || !expiresAt || expiresAt - Date.now() > warnBefore) return;
      closeWarning ??= toast({
        tone: 'warning',
        message: t('ending', { time: timeOfDay(new Date(expiresAt)) }),
        action: { label: t('stay'), onPress: () => void stay() },
      });
    }

    async function stay(): Promise<void> {
      try {
        await renew();
      } catch (error) {
        toast({ tone: 'error', message: failureOf(error).message });
      }
    }

    function look(): void {
      const left = (expiresAt ?? 0) - Date.now();
      if (left <= 0) store.lose('expired');
      // Tried again at the next look.
      else if (left < renewBefore && isActive()) renew().catch(warn);
      else warn();
    }

    /** Renews at once when the user returns, because the next check may be too late. */
    function sign(): void {
      const isBack = !isActive();
      lastSign = Date.now();
      if (isBack) look();
    }

    const timer = setInterval(look, interval);
    const timers = [expiresAt - warnBefore, expiresAt].map((time) =>
      setTimeout(look, Math.min(Math.max(0, time - Date.now()), longestTimer)),
    );
    for (const name of signsOfLife) window.addEventListener(name, sign, { passive: true });
    document.addEventListener('visibilitychange', look);
    return () => {
      closeWarning?.();
      clearInterval(timer);
      timers.forEach(clearTimeout);
      for (const name of signsOfLife) window.removeEventListener(name, sign);
      document.removeEventListener('visibilitychange', look);
    };
  }, [api, store, expiresAt, t, timeOfDay, toast]);

  return null;
}
