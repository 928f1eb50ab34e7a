import { foldCase } from '@portal/contracts';
import type { BatchDb } from './db.ts';

export interface Person {
  readonly kind: 'account' | 'admin';
  readonly accountId: number;
  readonly partnerId: number | null;
  /** Of an administrator of a unit. */
  readonly unitId: number | null;
  /** What the person signs in with. */
  readonly name: string;
  /** What they are called. */
  readonly displayName: string;
}

/** Keeps what people sign in with. */
export async function upsertPeople(db: BatchDb, people: readonly Person[]): Promise<void> {
  const rows = people.map((person) => ({
    ...person,
    searchKey: foldCase(`${person.displayName}\n${person.name}`),
  }));
  await db.$executeRaw`
    INSERT INTO people (kind, account_id, partner_id, unit_id, name, display_name, search_key)
    SELECT kind, "accountId", "partnerId", "unitId", name, "displayName", "searchKey"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS person (
      kind text, "accountId" integer, "partnerId" integer, "unitId" integer, name text, "displayName" text,
      "searchKey" text)
    ORDER BY kind, "accountId"
    ON CONFLICT (kind, account_id) DO UPDATE SET name = EXCLUDED.name, unit_id = EXCLUDED.unit_id,
      display_name = EXCLUDED.display_name, search_key = EXCLUDED.search_key`;
}

/** Deleted accounts. Their names stay as long as their log entries. */
export async function markDeleted(
  db: BatchDb,
  kind: Person['kind'],
  accounts: readonly { readonly id: number; readonly at: Date }[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE people SET deleted_at = at
    FROM jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) AS gone (id integer, at timestamptz)
    WHERE kind = ${kind} AND account_id = gone.id`;
}

/** Accounts of a partner that is gone. Answers how many of them were not marked yet. */
export async function markSomeDeleted(
  db: BatchDb,
  { most, now, partnerId }: { partnerId: number; most: number; now: Date },
): Promise<number> {
  return db.$executeRaw`
    UPDATE people SET deleted_at = ${now}
    WHERE partner_id = ${partnerId} AND ctid = ANY (ARRAY(
      SELECT ctid FROM people
      WHERE partner_id = ${partnerId} AND deleted_at IS NULL LIMIT ${most} FOR UPDATE SKIP LOCKED))`;
}

/** Deletes the names of accounts that were deleted before `before`. */
export async function dropPeople(db: BatchDb, before: Date): Promise<void> {
  await db.person.deleteMany({ where: { deletedAt: { lt: before } } });
}
