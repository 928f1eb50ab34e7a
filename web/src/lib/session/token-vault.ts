/**
 * Keeps the access token unreadable at rest: it is stored encrypted under an AES-GCM key that lives in IndexedDB and
 * cannot be exported, so that a copy of the local storage is worthless. All tabs of the origin share the key.
 */
export interface TokenVault {
  seal(token: string): Promise<string>;
  /** `undefined` when this vault cannot open it. */
  open(sealed: string): Promise<string | undefined>;
}

const databaseName = 'portal';
const storeName = 'keys';
const keyName = 'session';

function request<T>(source: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    source.onsuccess = () => resolve(source.result);
    source.onerror = () => reject(source.error ?? new Error('IndexedDB failed'));
  });
}

async function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(databaseName, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
  return request(opening);
}

async function loadKey(): Promise<CryptoKey> {
  const database = await openDatabase();
  const read = () =>
    request<CryptoKey | undefined>(database.transaction(storeName).objectStore(storeName).get(keyName));
  const stored = await read();
  if (stored) return stored;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  // Another tab may have been first; `add` then fails, and its key is the one.
  await request(database.transaction(storeName, 'readwrite').objectStore(storeName).add(made, keyName)).catch(
    () => undefined,
  );
  return (await read()) ?? made;
}

const toText = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const ivLength = 12;

function createCryptoVault(): TokenVault {
  let key: Promise<CryptoKey> | undefined;
  const getKey = () => {
    key ??= loadKey();
    return key;
  };
  return {
    async seal(token) {
      const iv = crypto.getRandomValues(new Uint8Array(ivLength));
      const data = new TextEncoder().encode(token);
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await getKey(), data);
      return `${toText(iv)}.${toText(new Uint8Array(sealed))}`;
    },
    async open(sealed) {
      const [iv, data] = sealed.split('.');
      if (!iv || !data) return undefined;
      try {
        const algorithm = { name: 'AES-GCM', iv: toBytes(iv) };
        const opened = await crypto.subtle.decrypt(algorithm, await getKey(), toBytes(data));
        return new TextDecoder().decode(opened);
      } catch {
        return undefined;
      }
    },
  };
}

/** For pages served without TLS from another host, where browsers offer no cryptography: the token dies with the tab. */
function createMemoryVault(): TokenVault {
  const tokens = new Map<string, string>();
  return {
    async seal(token) {
      const handle = `memory-${Math.random().toString(36).slice(2)}`;
      tokens.set(handle, token);
      return handle;
    },
    open: async (sealed) => tokens.get(sealed),
  };
}

export function createTokenVault(): TokenVault {
  const able = typeof indexedDB !== 'undefined' && globalThis.crypto?.subtle !== undefined;
  return able ? createCryptoVault() : createMemoryVault();
}
