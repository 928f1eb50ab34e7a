import { contractRanks, licenseTypes } from '@portal/contracts';
import { z } from 'zod';
import type { TokenVault } from './token-vault.ts';

/** The token serves to set up two factors, which are required, and to sign out. */
const twoFactorSetup = z.boolean().optional();

const adminProfile = z.object({
  name: z.string(),
  email: z.string(),
  role: z.number(),
  outsourcingFlag: z.boolean(),
  unitId: z.number().nullable(),
  twoFactorSetup,
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
  twoFactorSetup,
});

export type AdminProfile = z.output<typeof adminProfile>;
export type PartnerProfile = z.output<typeof partnerProfile>;

type Contract = Pick<PartnerProfile['partner'], 'contractRank' | 'licenseType'>;
export type AdminSession = { readonly kind: 'admin'; readonly expiresAt: number } & AdminProfile;
export type PartnerSession = { readonly kind: 'partner'; readonly expiresAt: number } & PartnerProfile;
export type Session = AdminSession | PartnerSession;
export type SessionKind = Session['kind'];

/** Tells people apart: nothing of one person's session may reach the next one's. */
export const ownerOf = (session: Session): string =>
  session.kind === 'admin' ? `admin ${session.email}` : `partner ${session.partner.id} ${session.user.id}`;

/** Why the last session of this tab ended. */
export type SessionEnd = 'loggedOut' | 'expired' | 'refused' | 'unlicensed';

export interface SessionStore {
  /** The session, also while it has lapsed. */
  current(): Session | undefined;
  /** The session has expired, but its page stays because of unsaved work; the same user can sign in again. */
  hasLapsed(): boolean;
  /** Of a session that has lapsed: true once its owner has one again, false when there will be none, or somebody else's. */
  resumed(): Promise<boolean>;
  /** Whether a call got this token for the person whose session it is now. */
  hasGiven(token: string): boolean;
  /** Why there is no session any more; cleared by the next sign-in. */
  ended(): SessionEnd | undefined;
  subscribe(listener: () => void): () => void;
  /** Of a session that has lapsed: the next one's, as soon as there is one. */
  token(): Promise<string | undefined>;
  /** Replaces whatever session there is: an administrator's and a partner's exclude each other. `expiresIn` in seconds. */
  begin(kind: 'admin', profile: AdminProfile, token: string, expiresIn: number): Promise<void>;
  begin(kind: 'partner', profile: PartnerProfile, token: string, expiresIn: number): Promise<void>;
  /** `isSetUp`: two factors, which were required, are there now, and the token is a whole one. */
  renew(token: string, expiresIn: number, isSetUp?: boolean): Promise<void>;
  /** What the administrator who is signed in may do has been changed by another one. */
  changeRole(role: number): void;
  /** What the company of the person who is signed in has of a contract has been changed by an administrator. */
  changeContract(contract: Partial<Contract>): void;
  /** The session has expired or was revoked: it lapses if the page holds unsaved work, otherwise it ends. */
  lose(reason: 'expired' | 'refused'): void;
  end(reason: SessionEnd): void;
}

const prefix = 'portal.';
const kinds = ['admin', 'partner'] as const;
const expiryKey = (kind: SessionKind) => `${prefix}${kind}ExpiresAt`;
const profileKey = (kind: SessionKind) => `${prefix}${kind}`;
/** Set when a session was lost rather than logged out of: to the other tabs both look alike otherwise. */
const lostKey = `${prefix}sessionLost`;
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
  hasUnsavedWork: () => boolean = () => false,
): SessionStore {
  const listeners = new Set<() => void>();
  let session: Session | undefined;
  let lapsed = false;
  let reason: SessionEnd | undefined;
  let opened: { sealed: string; token: string } | undefined;
  let given = { owner: '', tokens: new Set<string>() };

  const remove = (kind: SessionKind) => {
    storage.removeItem(expiryKey(kind));
    storage.removeItem(profileKey(kind));
    storage.removeItem(tokenKey(kind));
  };

  const clear = () => {
    for (const kind of kinds) remove(kind);
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
    lapsed = false;
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
    storage.removeItem(lostKey);
    storage.setItem(tokenKey(kind), sealed);
    storage.setItem(profileKey(kind), JSON.stringify(profile));
    // After these, because other tabs react to changes of this key; and never taken away in between, which would sign them out.
    storage.setItem(expiryKey(kind), String(now() + expiresIn * 1000));
    for (const other of kinds) if (other !== kind) remove(other);
    opened = undefined;
    reason = undefined;
    load();
    publish();
  };

  const end = (why: SessionEnd): void => {
    const had = session !== undefined;
    if (had && why !== 'loggedOut') storage.setItem(lostKey, '1');
    else storage.removeItem(lostKey);
    clear();
    session = undefined;
    lapsed = false;
    if (had) reason = why;
    publish();
  };

  // Stored data stays: other tabs handle it themselves, and a reload shows the login and keeps drafts.
  const lose = (why: 'expired' | 'refused'): void => {
    if (lapsed) return;
    if (!session || !hasUnsavedWork()) return end(why);
    lapsed = true;
    opened = undefined;
    publish();
  };

  const resumed = (): Promise<boolean> => {
    const owner = session && ownerOf(session);
    return new Promise((resolve) => {
      const look = () => {
        if (lapsed) return;
        listeners.delete(look);
        resolve(session !== undefined && ownerOf(session) === owner);
      };
      listeners.add(look);
      look();
    });
  };

  const give = (token: string, owner: string): string => {
    if (given.owner !== owner) given = { owner, tokens: new Set() };
    given.tokens.add(token);
    return token;
  };

  const token = async (): Promise<string | undefined> => {
    if (lapsed && !(await resumed())) return undefined;
    const sealed = session && storage.getItem(tokenKey(session.kind));
    if (!session || !sealed) return undefined;
    const owner = ownerOf(session);
    if (opened?.sealed === sealed) return give(opened.token, owner);
    const found = await vault.open(sealed);
    if (found !== undefined) {
      opened = { sealed, token: found };
      return give(found, owner);
    }
    if (hasUnsavedWork()) {
      lose('expired');
      return (await resumed()) ? token() : undefined;
    }
    // Another tab may still hold it, so the storage stays as it is.
    session = undefined;
    reason = 'expired';
    publish();
    return undefined;
  };

  load();
  if (!session) {
    const leftOver = kinds.some((kind) => storage.getItem(expiryKey(kind)) !== null);
    if (leftOver) {
      reason = 'expired';
      // Another tab may hold unsaved work of it, until its owner signs in again.
      storage.setItem(lostKey, '1');
    }
    clear();
  }

  if (typeof window !== 'undefined') {
    window.addEventListener('storage', (event) => {
      if (event.storageArea !== null && event.storageArea !== storage) return;
      if (event.key !== null && !kinds.some((kind) => event.key === expiryKey(kind))) return;
      const before = { session, lapsed };
      load();
      if (before.session && !session) {
        if (storage.getItem(lostKey) !== null) {
          ({ session, lapsed } = before);
          return lose('expired');
        }
        reason = 'loggedOut';
      }
      publish();
    });
  }

  return {
    current: () => session,
    hasLapsed: () => lapsed,
    resumed,
    hasGiven: (token) => session !== undefined && given.owner === ownerOf(session) && given.tokens.has(token),
    ended: () => reason,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    token,
    begin,
    async renew(token, expiresIn, isSetUp = false) {
      const renewed = session;
      const sealed = await vault.seal(token);
      // A sign-out during the renewal wins, and so does another person's sign-in.
      if (!renewed || !session || lapsed || ownerOf(session) !== ownerOf(renewed)) return;
      storage.setItem(tokenKey(renewed.kind), sealed);
      if (isSetUp) {
        const { expiresAt: _, kind, ...profile } = session;
        storage.setItem(profileKey(kind), JSON.stringify({ ...profile, twoFactorSetup: false }));
      }
      storage.setItem(expiryKey(renewed.kind), String(now() + expiresIn * 1000));
      load();
      publish();
    },
    changeRole(role) {
      if (session?.kind !== 'admin') return;
      const { expiresAt: _, kind, ...profile } = session;
      storage.setItem(profileKey(kind), JSON.stringify({ ...profile, role }));
      session = { ...session, role };
      publish();
    },
    changeContract(contract) {
      if (session?.kind !== 'partner') return;
      const { expiresAt: _, kind, ...profile } = session;
      const partner = { ...profile.partner, ...contract };
      if (JSON.stringify(partner) === JSON.stringify(profile.partner)) return;
      storage.setItem(profileKey(kind), JSON.stringify({ ...profile, partner }));
      session = { ...session, partner };
      publish();
    },
    lose,
    end,
  };
}
