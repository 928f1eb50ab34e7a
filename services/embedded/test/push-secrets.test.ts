import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { servicesWithDatabase } from '@portal/contracts';
import { send, signIn, signInAdmin } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { serviceAccountKey } from '@portal/testing/service-account';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectAsService } from './support.ts';

/** The secrets of push certificates, and the token of a calendar, are looked for in all that the whole product stores, logs and answers. */

let product: Product;
beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: 'trace' });
}, 120_000);
afterAll(() => product?.remove());

const answers: string[] = [];

async function ask(token: string, method: string, path: string, body?: object, key?: string) {
  const headers = key === undefined ? {} : { headers: { 'idempotency-key': key } };
  const reply = await send(product, method, path, { token, ...(body && { body }), ...headers });
  answers.push(JSON.stringify(reply.body));
  return reply;
}

/** Two parts of a key in PEM: as text, and as text that is stored as bytes. */
function formsOf(pem: string): string[] {
  const lines = pem.split(/\r?\n/).filter((line) => line.length === 64);
  const parts = [lines[4], lines[10]].filter((line) => line !== undefined);
  expect(parts).toHaveLength(2);
  return parts.flatMap((part) => [part, Buffer.from(part).toString('hex')]);
}

/** Makes a token of the calendar, and uses it in right and in wrong addresses. */
async function calendarToken(admin: string): Promise<string> {
  const calendar = '/v1/partner/partners/1/calendar';
  const headers = { 'idempotency-key': 'calendar' };
  const made = await send(product, 'POST', `${calendar}/token`, { token: admin, headers });
  expect(made.status).toBe(201);
  const token = String(made.body.token);
  expect((await ask(admin, 'POST', `${calendar}/token`, undefined, 'calendar')).status).toBe(201);
  const statuses: number[] = [];
  for (const address of [
    `${calendar}.ics?token=${token}`,
    `${calendar}.ics?token=${token}x`,
    `${calendar}.ics?token=${token}&token=${token}`,
    `/v1/partner/partners/2/calendar.ics?token=${token}`,
    `${calendar}.ics/%?token=${token}`,
    `/partner/calendar?token=${token}`,
  ]) {
    const reply = await fetch(product.url + address);
    statuses.push(reply.status);
    answers.push(await reply.text());
  }
  expect(statuses.slice(0, 2)).toEqual([200, 401]);
  return token;
}

test('No secret of a certificate is anywhere, but sealed; and no token of a calendar', async () => {
  const admin = await signIn(product, '1000', 'partner@example.com');
  const root = await signInAdmin(product);
  const p12 = await readFile(join(import.meta.dirname, '../../push/test/p12/modern.p12'));
  const file = { p12: p12.toString('base64'), password: 'secret' };
  const read = await send(product, 'POST', '/v1/pem', { token: admin, body: file });
  expect(read.status).toBe(200);
  const pem = { certificate: String(read.body.certificate), private_key: String(read.body.privateKey) };
  const apiKey = serviceAccountKey();
  const { private_key: serviceKey }: { private_key: string } = JSON.parse(apiKey);
  const token = await calendarToken(admin);
  const secrets = [
    ...[pem.private_key, serviceKey].flatMap(formsOf),
    token,
    Buffer.from(token).toString('hex'),
  ];

  const own = '/v1/partner/partners/1/push_notifications';
  const body = { name: 'Secret', api_key: apiKey, certification_file_name: 'a.p12', ...pem };
  const made = await ask(admin, 'POST', `${own}/certifications`, body, 'once');
  expect(made.status).toBe(201);
  expect((await ask(admin, 'POST', `${own}/certifications`, body, 'once')).body).toEqual(made.body);
  const path = `${own}/certifications/${Number(made.body.id)}`;
  expect((await ask(admin, 'PUT', path, body)).status).toBe(200);
  expect((await ask(admin, 'PUT', path, { ...body, certificate: 'none' })).status).toBe(400);
  expect((await ask(admin, 'POST', `${own}/certifications`, { ...body, name: '' })).status).toBe(400);
  const operators = '/v1/admin/push_notifications/certifications';
  const ofOperator = { api_key: apiKey, ...pem };
  // A demo may have one already.
  for (const method of ['POST', 'PUT']) await ask(root, method, operators, ofOperator);
  for (const [token, at] of [
    [admin, path],
    [admin, `${own}/certifications`],
    [admin, `${own}/certifications?all=true`],
    [root, '/v1/admin/partners/1/certifications'],
    [root, operators],
    [admin, '/v1/partner/partners/1/operation_logs'],
  ] as const)
    expect((await ask(token, 'GET', at)).status).toBe(200);
  const pushed = { message: 'Hello', certification_id: Number(made.body.id) };
  expect((await ask(admin, 'POST', own, pushed)).status).toBe(201);
  for (const noun of ['push_notifications', 'operation_logs']) {
    const batches = `/v1/partner/partners/1/${noun}/csv/batches`;
    const { id } = (await ask(admin, 'POST', batches)).body;
    const status = async () => (await ask(admin, 'GET', `${batches}/${Number(id)}`)).body.status;
    await expect.poll(status, { timeout: 30_000, interval: 200 }).toBe('complete');
  }

  const found: string[] = [];
  const look = (place: string, text: string) => {
    if (secrets.some((secret) => text.includes(secret))) found.push(place);
  };
  let sealed = 0;
  for (const service of servicesWithDatabase) {
    const client = await connectAsService(product, service);
    try {
      await vi.waitFor(
        async () => expect((await client.query('SELECT FROM messaging.outbox')).rowCount, service).toBe(0),
        { timeout: 30_000, interval: 200 },
      );
      const { rows: tables } = await client.query<{ name: string }>(
        `SELECT oid::regclass::text AS name FROM pg_class
         WHERE relkind IN ('r', 'p') AND NOT relispartition
           AND relnamespace::regnamespace::text !~ '^(pg_|information_schema|scope)'`,
      );
      for (const { name } of tables) {
        const { rows } = await client.query<{ text: string }>(
          `SELECT replace(t::text, '\\n', '') AS text FROM ${name} t`,
        );
        if (name === 'certification_secrets') sealed += rows.length;
        look(`${service}.${name}`, rows.map(({ text }) => text).join('\n'));
      }
    } finally {
      await client.end();
    }
  }
  const folder = join(product.dataDir, 'objects');
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const at = join(entry.parentPath, entry.name);
    look(at.slice(folder.length), await readFile(at, 'latin1').catch(() => ''));
  }
  look('the log', product.output());
  look('answers', answers.join('\n'));
  expect(found).toEqual([]);

  // It would have seen them.
  expect(sealed).toBeGreaterThanOrEqual(2);
  expect(product.output().length).toBeGreaterThan(1_000);
  look('a proof', JSON.stringify(pem));
  expect(found).toEqual(['a proof']);
}, 120_000);
