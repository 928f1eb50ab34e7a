import { createTokenVault } from './session/token-vault.ts';

/** The editor of a document database, which also opens with the key of the database. */
export const collectionsPath = '/collections';

/** The key with which a tab has opened the editor. It is stored as unreadable as a session, and is gone with the tab. */
export interface DatabaseKey {
  readonly partnerId: number;
  readonly key: () => Promise<string | undefined>;
  /** Another key, since the old one has stopped. */
  replace(key: string): Promise<void>;
}

const storageKey = 'portal.databaseKey';
const vault = createTokenVault();
let opened: { partnerId: number; key: string } | undefined;

async function store(partnerId: number, key: string): Promise<void> {
  opened = { partnerId, key };
  const sealed = await vault.seal(key);
  // Another may have come meanwhile, or nobody wants it any more.
  if (opened?.key === key) sessionStorage.setItem(storageKey, `${partnerId} ${sealed}`);
}

/** Takes the key out of an address that has it, before anything else sees that. */
export function takeDatabaseKey(): void {
  const address = new URL(window.location.href);
  const key = address.searchParams.get('api_key');
  if (address.pathname.replace(/\/$/, '') !== collectionsPath || key === null) return;
  const partnerId = Number(address.searchParams.get('partner_id'));
  address.searchParams.delete('api_key');
  address.searchParams.delete('partner_id');
  window.history.replaceState(window.history.state, '', address.pathname + address.search);
  void store(Number.isInteger(partnerId) ? partnerId : 0, key);
}

/** The key of this tab, if the editor was opened with one. */
export function databaseKey(): DatabaseKey | undefined {
  const [id = '', sealed = ''] = (sessionStorage.getItem(storageKey) ?? '').split(' ');
  const partnerId = opened?.partnerId ?? Number(id);
  if (!opened && sealed === '') return undefined;
  return {
    partnerId,
    async key() {
      if (opened) return opened.key;
      const key = await vault.open(sealed);
      if (key !== undefined) opened ??= { partnerId, key };
      return key;
    },
    replace: (key) => store(partnerId, key),
  };
}

export function forgetDatabaseKey(): void {
  opened = undefined;
  sessionStorage.removeItem(storageKey);
}
