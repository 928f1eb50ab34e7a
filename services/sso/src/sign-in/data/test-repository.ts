import type { SsoDb } from '../../data/db.ts';
import { Prisma, type SettingTest } from '../../data/generated/client.ts';

export type { SettingTest } from '../../data/generated/client.ts';

/** Tests of a session that wait at once: of more the oldest goes. */
const mostWaiting = 10;

export async function insertTest(db: SsoDb, test: Omit<SettingTest, 'result'>): Promise<void> {
  await db.settingTest.create({ data: test, select: { id: true } });
  await db.$executeRaw`
    DELETE FROM setting_tests WHERE id IN (
      SELECT id FROM setting_tests WHERE session_id = ${test.sessionId}::uuid
      ORDER BY expires_at DESC OFFSET ${mostWaiting})`;
}

/** A test that waits, whoever began it: its id is known to them alone. */
export async function findTest(db: SsoDb, id: string, now: Date): Promise<SettingTest | null> {
  return db.settingTest.findFirst({ where: { id, expiresAt: { gt: now } } });
}

/** The first result stays. */
export async function keepResult(db: SsoDb, id: string, result: object): Promise<void> {
  await db.settingTest.updateMany({ where: { id, result: { equals: Prisma.AnyNull } }, data: { result } });
}

/** The test of a session. */
export async function findTestOf(
  db: SsoDb,
  which: { readonly id: string; readonly partnerId: number; readonly sessionId: string },
  now: Date,
): Promise<SettingTest | null> {
  return db.settingTest.findFirst({ where: { ...which, expiresAt: { gt: now } } });
}
