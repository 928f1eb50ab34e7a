import type { BatchDb } from './db.ts';

/** Keeps what a person signs in with. It stays when they are deleted, for what they did does. */
export async function keepPerson(
  db: BatchDb,
  person: {
    readonly kind: 'account' | 'admin';
    readonly accountId: number;
    readonly partnerId: number | null;
    readonly name: string;
  },
): Promise<void> {
  const { accountId, kind, name, partnerId } = person;
  await db.person.upsert({
    where: { kind_accountId: { kind, accountId } },
    create: { kind, accountId, partnerId, name },
    update: { name },
  });
}
