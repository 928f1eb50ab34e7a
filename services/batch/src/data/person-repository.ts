import type { BatchDb } from './db.ts';

export interface Person {
  readonly kind: 'account' | 'admin';
  readonly accountId: number;
  readonly partnerId: number | null;
  /** What the person signs in with. */
  readonly name: string;
}

/** Keeps what people sign in with; of one, the last. */
export async function keepPeople(db: BatchDb, people: readonly Person[]): Promise<void> {
  const last = new Map(people.map((person) => [`${person.kind} ${person.accountId}`, person]));
  await db.$executeRaw`
    INSERT INTO people (kind, account_id, partner_id, name)
    SELECT kind, "accountId", "partnerId", name
    FROM jsonb_to_recordset(${JSON.stringify([...last.values()])}::jsonb) AS person (
      kind text, "accountId" integer, "partnerId" integer, name text)
    ORDER BY kind, "accountId"
    ON CONFLICT (kind, account_id) DO UPDATE SET name = EXCLUDED.name`;
}

/** Accounts that are gone. Their names stay, for what they did does. */
export async function markDeleted(
  db: BatchDb,
  accounts: readonly { readonly accountId: number; readonly at: string }[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE people SET deleted_at = at
    FROM jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) AS gone ("accountId" integer, at timestamptz)
    WHERE kind = 'account' AND account_id = "accountId"`;
}

/** Forgets whoever was deleted before `before`. */
export async function dropPeople(db: BatchDb, before: Date): Promise<void> {
  await db.person.deleteMany({ where: { deletedAt: { lt: before } } });
}
