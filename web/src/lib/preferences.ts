import type { ApiClient } from '@portal/api-client';
import { sessionRoutes } from '@portal/contracts';
import type { SessionKind } from './session/session-store.ts';

export type Preferences = Readonly<Record<string, unknown>>;

const calls = {
  admin: { read: sessionRoutes.getAdminPreferences, save: sessionRoutes.saveAdminPreferences },
  partner: { read: sessionRoutes.getPartnerPreferences, save: sessionRoutes.savePartnerPreferences },
} as const;

let last: Promise<unknown> = Promise.resolve();

/** The preferences of whoever is signed in. */
export function readPreferences(api: ApiClient, kind: SessionKind): Promise<Preferences> {
  return api.call(calls[kind].read, {});
}

/**
 * Changes some of them, as it follows from what they are by then. The server takes them whole, so what it has is read first, and the
 * others stay as they are, those that this version does not know too; one change waits for the one before.
 * @returns all of them
 */
export async function changePreferences(
  api: ApiClient,
  kind: SessionKind,
  changesOf: (before: Preferences) => Preferences,
): Promise<Preferences> {
  const change = async () => {
    const before = await readPreferences(api, kind);
    const after = { ...before, ...changesOf(before) };
    await api.call(calls[kind].save, { body: after });
    return after;
  };
  const changed = last.then(change, change);
  last = changed;
  return changed;
}
