import type { Scope } from '@portal/database';
import type { Caller, Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { findPreferences, replacePreferences } from '../data/preferences-repository.ts';
import { ownerOf } from '../domain/owner.ts';

type Preferences = Record<string, unknown>;

/** What the caller has stored; an empty object where that is nothing. */
export async function readPreferences(
  { store }: { store: Store<IdentityDb> },
  { caller, scope }: { readonly caller: Caller; readonly scope: Scope },
): Promise<Preferences> {
  const json = await store.read(scope, (db) => findPreferences(db, ownerOf(caller)));
  // Written by `savePreferences` alone.
  return json === null ? {} : (JSON.parse(json) as Preferences);
}

/** Stores the caller's preferences in place of those before; of two at once, one stays. */
export async function savePreferences(
  { store }: { store: Store<IdentityDb> },
  { caller, scope }: { readonly caller: Caller; readonly scope: Scope },
  preferences: Preferences,
): Promise<void> {
  // As text: the database would refuse some of what JSON may hold, and order the names anew.
  const json = JSON.stringify(preferences);
  await store.write(scope, ({ db }) => replacePreferences(db, ownerOf(caller), json));
}
