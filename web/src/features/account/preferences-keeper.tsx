import { useEffect } from 'react';
import { useApi } from '../../lib/api.ts';
import {
  applyPreferences,
  arePreferencesKnown,
  chosenOver,
  forgetChoices,
  onChoice,
  setPreferencesKnown,
  unkeptChoices,
} from '../../lib/choices.ts';
import { changePreferences, readPreferences } from '../../lib/preferences.ts';
import { ownerOf, type SessionKind } from '../../lib/session/session-store.ts';
import { useSessionStore } from '../../lib/session/use-session.ts';

/** Milliseconds that a choice waits for the next one. */
const patience = 400;

/** Makes the product look as somebody has chosen in another browser, and keeps on the server what they choose here. */
export function PreferencesKeeper({ kind }: { kind: SessionKind }) {
  const api = useApi();
  const store = useSessionStore();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const ownerNow = () => {
      const session = store.current();
      return session && ownerOf(session);
    };
    const owner = ownerNow();

    async function keep(): Promise<void> {
      const chosen = unkeptChoices();
      if (Object.keys(chosen).length === 0) return;
      const kept = await changePreferences(api, kind, (before) => chosenOver(before, chosen));
      forgetChoices(chosen);
      // Another browser may have changed others.
      if (!isGone) applyPreferences({ lists: kept['lists'] });
    }

    // A choice that cannot be kept is so in this browser all the same, and goes with the next one; of lists also once the page is
    // loaded again.
    function keepSoon(): void {
      clearTimeout(timer);
      timer = setTimeout(() => void keep().catch(() => undefined), patience);
    }

    async function look(): Promise<void> {
      const preferences = await readPreferences(api, kind);
      if (isGone) return;
      applyPreferences(preferences);
      setPreferencesKnown(true);
    }

    if (!arePreferencesKnown()) look().catch(() => undefined);
    if (Object.keys(unkeptChoices()).length > 0) keepSoon();
    const ignore = onChoice(keepSoon);
    return () => {
      isGone = true;
      ignore();
      clearTimeout(timer);
      // What one person has chosen is nothing to the next.
      if (ownerNow() !== owner) forgetChoices();
    };
  }, [api, kind, store]);

  return null;
}
