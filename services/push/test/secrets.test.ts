import { pushRoutes as routes } from '@portal/contracts';
import { adminActor } from '@portal/testing';
import { serviceAccountKey } from '@portal/testing/service-account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appCertificate, type PushHarness, startPushHarness } from './push-harness.ts';

/** What is secret in a certification is in no answer, no log, no event, no file and no table, but sealed. */

const lines: string[] = [];
let harness: PushHarness;

beforeAll(async () => {
  harness = await startPushHarness({ log: { write: (line) => void lines.push(line) } });
});
afterAll(async () => harness.stop());

const oneLineOf = (pem: string) => pem.replaceAll('\n', '');

/** Any of a secret that is long enough to be told from anything else, in the forms that it may have. */
const formsOf = (pem: string) => {
  const body = pem.replaceAll(/-----[^-]+-----|\s/g, '');
  const part = body.slice(200, 260);
  return [part, Buffer.from(body, 'base64').subarray(150, 190).toString('hex'), body.slice(192, 256)];
};

test('The private keys of both parts are found nowhere', async () => {
  const own = await harness.partner();
  const key = serviceAccountKey();
  const ios = await appCertificate();
  const { private_key: serviceKey }: { private_key: string } = JSON.parse(key);
  const secrets = [
    ...formsOf(serviceKey),
    ...formsOf(ios.privateKey),
    oneLineOf(ios.privateKey).slice(40, 100),
  ];
  const answers: unknown[] = [];
  const { admin, pid } = own;
  const root = adminActor();

  const body = { name: 'Own', apiKey: key, certificationFileName: 'a.p12', ...ios };
  const made = await harness.call(
    routes.createCertification,
    { params: { pid }, body, headers: { 'idempotency-key': 'once' } },
    admin,
  );
  expect(made.status).toBe(201);
  const params = { pid, id: made.body.id };
  answers.push(
    made,
    await harness.call(routes.updateCertification, { params, body }, admin),
    await harness.call(routes.getCertification, { params }, admin),
    await harness.call(routes.listCertifications, { params }, admin),
    await harness.call(routes.listCertifications, { params, query: { all: true } }, own.sender),
    await harness.call(routes.listPartnerCertifications, { params }, root),
    await harness.call(routes.exportCertifications, { params }, admin),
    await harness.call(routes.createOperatorCertification, { body: { apiKey: key, ...ios } }, root),
    await harness.call(routes.updateOperatorCertification, { body: { apiKey: key, ...ios } }, root),
    await harness.call(routes.getOperatorCertification, {}, root),
    // Refused, with the secret in the body.
    await harness.call(
      routes.createCertification,
      { params, body: { ...body, certificate: ios.privateKey } },
      admin,
    ),
    // Refused, with the secret in the wrong field: its name is in the operation log, otherwise.
    ...(await Promise.all(
      [
        oneLineOf(ios.privateKey),
        oneLineOf(ios.privateKey).slice(0, 255),
        key.replaceAll('\n', '').slice(0, 255),
      ].map(async (name) => {
        const named = await harness.call(
          routes.createCertification,
          { params, body: { ...body, name } },
          admin,
        );
        expect([named.status, named.body]).toMatchObject([
          400,
          { code: 'E40002', errors: [{ field: 'name' }] },
        ]);
        return named;
      }),
    )),
  );

  // A defect, while a body with the secrets is handled.
  await harness.sql(`UPDATE certification_secrets SET api_key = 'broken', private_key = 'broken'`);
  for (const part of [{ apiKey: key }, ios]) {
    const failed = await harness.call(routes.updateCertification, { params, body: part }, admin);
    expect(failed.status).toBe(500);
    answers.push(failed);
  }

  const places = [
    ['answers', JSON.stringify(answers)],
    ['the log', lines.join('')],
    ['events', JSON.stringify(await harness.events())],
    ...(await everyTable()),
  ] as const;
  expect(lines.length).toBeGreaterThan(0);
  for (const [place, text] of places)
    expect([place, secrets.filter((secret) => text.includes(secret))]).toEqual([place, []]);

  // The test would see them, were they there.
  expect(formsOf(ios.privateKey).filter((form) => JSON.stringify(ios).includes(form)).length).toBeGreaterThan(
    0,
  );
});

/** Every row of every table, bytes as hexadecimal. */
async function everyTable(): Promise<(readonly [string, string])[]> {
  const tables = await harness.sql<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace::regnamespace::text !~ '^(pg_|information_schema|scope)'`,
  );
  expect(tables.map(({ name }) => name)).toContain('certification_secrets');
  return Promise.all(
    tables.map(async ({ name }) => {
      const rows = await harness.sql<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      return [name, rows.map(({ text }) => text.replaceAll('\\n', '')).join('')] as const;
    }),
  );
}
