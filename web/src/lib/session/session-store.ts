import { contractRanks, licenseTypes } from '@portal/contracts';
import { z } from 'zod';
import type { TokenVault } from './token-vault.ts';

const adminProfile = z.object({
  name: z.string(),
  email: z.string(),
  role: z.number(),
  outsourcingFlag: z.boolean(),
  unitId: z.number().nullable(),
});

const partnerProfile = z.object({
  partner: z.object({
    id: z.number(),
    name: z.string(),
    partnerCode: z.string(),
    licenseExpiredOnUnixtime: z.number().nullable(),
    contractRank: z.enum(contractRanks),
    licenseType: z.enum(licenseTypes),
  }),
  user: z.object({
    id: z.number(),
    name: z.string(),
    /** The login user id where there is no address. */
    email: z.string(),
    role: z.number(),
    groups: z.array(z.object({ id: z.number(), name: z.string() })),
  }),
});

export type AdminProfile = z.output<typeof adminProfile>;
export type PartnerProfile = z.output<typeof partnerProfile>;

export type AdminSession = { readonly kind: 'admin'; readonly expiresAt: number } & AdminProfile;
export type PartnerSession = { readonly kind: 'partner'; readonly expiresAt: number } & PartnerProfile;
export type Session = AdminSession | PartnerSession;
export type SessionKind = Session['kind'];

/** Why the last session of this tab ended. */
export type SessionEnd = 'loggedOut' | 'expired' | 'refused';

export interface SessionStore {
  current(): Session | undefined;
  /** Why there is no session any more; cleared by the next sign-in. */
  ended(): SessionEnd | undefined;
  subscribe(listener: () => void): () => void;
  token(): Promise<string | undefined>;
  /** Replaces whatever session there is: an administrator's and a partner's exclude each other. `expiresIn` in seconds. */
  begin(kind: 'admin', profile: AdminProfile, token: string, expiresIn: number): Promise<void>;
  begin(kind: 'partner', profile: PartnerProfile, token: string, expiresIn: number): Promise<void>;
  renew(token: string, expiresIn: number): Promise<void>;
  end(reason: SessionEnd): void;
}

const prefix = 'portal.';
const kinds = ['admin', 'partner'] as const;
const expiryKey = (kind: SessionKind) => `${prefix}${kind}ExpiresAt`;
const profileKey = (kind: SessionKind) => `${prefix}${kind}`;
const tokenKey = (kind: SessionKind) => `${prefix}${kind}Token`;

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}

export function createSessionStore(
  vault: TokenVault,
  storage: Storage = localStorage,
  now: () => number = Date.now,
): SessionStore {
  const listeners = new Set<() => void>();
  let session: Session | undefined;
  let reason: SessionEnd | undefined;
  let opened: { sealed: string; token: string } | undefined;

  const clear = () => {
    for (const kind of kinds) {
      storage.removeItem(expiryKey(kind));
      storage.removeItem(profileKey(kind));
      storage.removeItem(tokenKey(kind));
    }
    opened = undefined;
  };

  const read = (kind: SessionKind): Session | undefined => {
    const expiry = storage.getItem(expiryKey(kind));
    const expiresAt = Number(expiry);
    if (!expiry || !Number.isFinite(expiresAt) || expiresAt <= now()) return undefined;
    if (storage.getItem(tokenKey(kind)) === null) return undefined;
    const stored = parseJson(storage.getItem(profileKey(kind)));
    if (kind === 'admin') {
      const profile = adminProfile.safeParse(stored);
      return profile.success ? { kind, expiresAt, ...profile.data } : undefined;
    }
    const profile = partnerProfile.safeParse(stored);
    return profile.success ? { kind, expiresAt, ...profile.data } : undefined;
  };

  const load = () => {
    session = read('admin') ?? read('partner');
  };

  const publish = () => {
    for (const listener of listeners) listener();
  };

  const begin = async (
    kind: SessionKind,
    profile: AdminProfile | PartnerProfile,
    token: string,
    expiresIn: number,
  ): Promise<void> => {
    const sealed = await vault.seal(token);
    clear();
    storage.setItem(tokenKey(kind), sealed);
    storage.setItem(profileKey(kind), JSON.stringify(profile));
    // Last, because other tabs look when this key changes.
    storage.setItem(expiryKey(kind), String(now() + expiresIn * 1000));
    reason = undefined;
    load();
    publish();
  };

  load();
  if (!session) {
    const leftOver = kinds.some((kind) => storage.getItem(expiryKey(kind)) !== null);
    if (leftOver) reason = 'expired';
    clear();
  }

  if (typeof window !== 'undefined') {
    window.addEventListener('storage', (event) => {
      if (event.storageArea !== null && event.storageArea !== storage) return;
      if (event.key !== null && !kinds.some((kind) => event.key === expiryKey(kind))) return;
      const had = session !== undefined;
      load();
      if (had && !session) reason = 'loggedOut';
      publish();
    });
  }

  return {
    current: () => session,
    ended: () => reason,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async token() {
      const sealed = session && storage.getItem(tokenKey(session.kind));
      if (!sealed) return undefined;
      if (opened?.sealed === sealed) return opened.token;
      const token = await vault.open(sealed);
      if (token !== undefined) {
        opened = { sealed, token };
        return token;
      }
      // Another tab may still hold it, so the storage stays as it is.
      session = undefined;
      reason = 'expired';
      publish();
      return undefined;
    },
    begin,
    async renew(token, expiresIn) {
      const renewed = session;
      const sealed = await vault.seal(token);
      // A sign-out during the renewal wins.
      if (!renewed || session?.kind !== renewed.kind) return;
      storage.setItem(tokenKey(renewed.kind), sealed);
      storage.setItem(expiryKey(renewed.kind), String(now() + expiresIn * 1000));
      load();
      publish();
    },
    end(why) {
      const had = session !== undefined;
      clear();
      session = undefined;
      if (had) reason = why;
      publish();
    },
  };
}
