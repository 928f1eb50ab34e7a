import { fileEvents, identityEvents, userEvents } from '@portal/contracts';
import { defineService, on, onMany, type Transaction } from '@portal/service-kit';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { config } from '../src/config.ts';
import type { TenantDb } from '../src/data/db.ts';
import { PrismaClient } from '../src/data/generated/client.ts';

/** Whose rows the handlers of events see. */

let harness: ServiceHarness;
/** Whose events came together, and whose rows their handler saw. */
let handled: { of: (number | null)[]; saw: number[] }[];

async function note({ db }: Transaction<TenantDb>, events: readonly { partnerid: number | null }[]) {
  const rows = await db.licenceUse.findMany({ orderBy: { partnerId: 'asc' } });
  handled.push({ of: events.map(({ partnerid }) => partnerid), saw: rows.map(({ partnerId }) => partnerId) });
}

beforeAll(async () => {
  harness = await startServiceHarness(
    defineService<TenantDb, unknown>({
      name: 'tenant',
      config,
      directory: new URL('../', import.meta.url),
      prismaClient: PrismaClient,
      create: () => ({
        routes: [],
        subscriptions: [
          onMany(userEvents.userCreated, 'note', note, { lingers: true }),
          onMany(userEvents.userDeleted, 'note-all', note, { lingers: true, systemScope: 'test' }),
          on(identityEvents.adminCreated, 'note-admins', async (tx, event) => note(tx, [event])),
          on<TenantDb, { fileId: number }>(fileEvents.fileDeleted, 'write', async ({ db }, { data }) => {
            await db.licenceUse.create({ data: { partnerId: data.fileId, kind: 'device', count: 0 } });
          }),
        ],
      }),
    }),
    { env: {} },
  );
  await harness.sql(
    `INSERT INTO licence_use (partner_id, kind, count) SELECT id, 'user', 1 FROM generate_series(1, 3) AS id`,
  );
});
afterAll(async () => harness.stop());
beforeEach(() => {
  handled = [];
});

/** Events of tenants 1, 2 and 3 in turns, which come at once. */
async function tellOfMany<D>(definition: Parameters<typeof harness.deliver<D>>[0], data: D): Promise<void> {
  const subjects = Array.from({ length: 12 }, (_, n) => n + 1);
  await Promise.all(
    subjects.map(async (userId) =>
      harness.deliver(definition, {
        subject: userId,
        partnerId: (userId % 3) + 1,
        data: { ...data, userId },
      }),
    ),
  );
}

test('Events of many tenants are handled in the scope of each', async () => {
  await tellOfMany(userEvents.userCreated, userEvents.userCreated.example);
  expect(handled.flatMap(({ of }) => of)).toHaveLength(12);
  for (const { of, saw } of handled) expect([...new Set(of)]).toEqual(saw);
});

test('A handler that says why has those of all tenants, in the scope of the system', async () => {
  await tellOfMany(userEvents.userDeleted, { userId: 0 });
  expect(handled.flatMap(({ of }) => of)).toHaveLength(12);
  for (const { saw } of handled) expect(saw).toEqual([1, 2, 3]);
});

test('An event without a tenant is handled in the scope of the system', async () => {
  const data = identityEvents.adminCreated.example;
  await harness.deliver(identityEvents.adminCreated, { subject: data.adminId, partnerId: null, data });
  expect(handled).toEqual([{ of: [null], saw: [1, 2, 3] }]);
});

test('A handler cannot write the row of another tenant than its event is of', async () => {
  const told = (fileId: number) =>
    harness.deliver(fileEvents.fileDeleted, { subject: fileId, partnerId: 2, data: { fileId } });
  await told(2);
  const failing = told(3);
  failing.catch(() => undefined);
  const error = async () =>
    (
      await harness.sql<{ error: string | null }>(
        `SELECT error FROM messaging.inbox WHERE key = '3' AND handler = 'tenant.write'`,
      )
    )[0]?.error;
  await expect.poll(error, { timeout: 10_000 }).toContain('row-level security');
  expect(await harness.sql(`SELECT partner_id FROM licence_use WHERE kind = 'device'`)).toEqual([
    { partner_id: 2 },
  ]);
  await harness.sql(`DELETE FROM messaging.inbox WHERE key = '3' AND handler = 'tenant.write'`);
  await failing;
});
