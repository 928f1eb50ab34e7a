import type { Scope } from '@portal/database';
import { ofPartner, type Store } from '@portal/service-kit';
import { LRUCache } from 'lru-cache';
import type { DocumentDb } from '../../data/db.ts';
import { type Database, findDatabase, findPartnerOfKey } from '../data/database-repository.ts';
import { hashOf } from '../domain/key.ts';

/**
 * The databases of the tenants that call, in memory: every call asks for one. Every instance hears of each change by broadcast as
 * soon as it is published, and reads again after seconds what it may have missed.
 */
export interface KnownDatabases {
  /** Null where the partner has none. */
  of(partnerId: number): Promise<Database | null>;
  /** The partner whose key this is; undefined for one that nobody has, or not any more. */
  partnerOfKey(key: string, scope: Scope): Promise<number | undefined>;
  /** It was changed: what is being read at this moment may be of before. */
  forget(partnerId: number): void;
}

const mostKept = 10_000;
const readAgainMs = 5_000;

interface Known {
  readonly database: Database | null;
  readonly at: number;
}

export function createKnownDatabases({ store }: { readonly store: Store<DocumentDb> }): KnownDatabases {
  const known = new LRUCache<number, Known>({ max: mostKept });
  const reading = new Map<number, Promise<Database | null>>();
  /** The partner that a key was of when it was last looked for. */
  const partners = new LRUCache<string, number>({ max: mostKept });

  async function read(partnerId: number): Promise<Database | null> {
    const look = store.read(ofPartner(partnerId), async (db) => findDatabase(db, partnerId));
    reading.set(partnerId, look);
    try {
      const database = await look;
      // Not where it was changed meanwhile.
      if (reading.get(partnerId) === look) known.set(partnerId, { database, at: performance.now() });
      return database;
    } finally {
      if (reading.get(partnerId) === look) reading.delete(partnerId);
    }
  }

  async function of(partnerId: number): Promise<Database | null> {
    const before = known.get(partnerId);
    if (before && performance.now() - before.at < readAgainMs) return before.database;
    return reading.get(partnerId) ?? read(partnerId);
  }

  return {
    of,
    async partnerOfKey(key, scope) {
      const hash = hashOf(key);
      if (!hash) return undefined;
      const name = hash.toString('base64url');
      const before = partners.get(name);
      if (before !== undefined) {
        const database = await of(before);
        if (database && hash.equals(database.keyHash)) return before;
        partners.delete(name);
      }
      const partnerId = await store.read(scope, async (db) => findPartnerOfKey(db, hash));
      if (partnerId !== undefined) partners.set(name, partnerId);
      return partnerId;
    },
    forget(partnerId) {
      known.delete(partnerId);
      reading.delete(partnerId);
    },
  };
}
