import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { type ServiceName, servicesWithDatabase } from '@portal/contracts';
import { createAuthority } from '@portal/push-stand-in';
import {
  demoPassword,
  importSettled,
  importUsers,
  publishApplication,
  send,
  signIn,
  signInAdmin,
  uploadFile,
} from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { base64, metadataXml } from '@portal/testing/saml-metadata';
import { honest, type Keys, newKeys, posted } from '@portal/testing/saml-provider';
import { serviceAccountKey } from '@portal/testing/service-account';
import { Secret, TOTP } from 'otpauth';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectAsService } from './support.ts';

/**
 * A company with everything that one can have is deleted: its people are out at once, and what is left of it, in any database
 * and in the store, is what docs/data-kept.md says. All that it has is called by one word, so that a look at every column of
 * every table finds it, wherever it was copied to.
 */

const word = 'quokka';
const day = 24 * 3_600_000;
const patience = { timeout: 30_000, interval: 200 };

let product: Product;
const databases = new Map<ServiceName, Client>();
/** The platform's administrator, who makes the company and deletes it. */
let root: string;
let pid: number;
let at: string;
const tokens = new Map<string, string>();

async function connect(): Promise<void> {
  for (const service of servicesWithDatabase)
    databases.set(service, await connectAsService(product, service));
}
async function disconnect(): Promise<void> {
  for (const client of databases.values()) await client.end();
  databases.clear();
}

async function ask(token: string, method: string, path: string, body?: object) {
  const reply = await send(product, method, path, { token, ...(body && { body }) });
  if (reply.status >= 300)
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}

interface Table {
  readonly client: Client;
  /** With its service, as `user.accounts` or `batch.logs.operation_logs`. */
  readonly name: string;
  readonly sql: string;
  readonly isOfPartners: boolean;
}

/** Every table of every service; a table in parts is one. */
async function allTables(): Promise<Table[]> {
  const found: Table[] = [];
  for (const [service, client] of databases) {
    const { rows } = await client.query<{ sql: string; isOfPartners: boolean }>(
      `SELECT c.oid::regclass::text AS sql, EXISTS (SELECT FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attname = 'partner_id' AND NOT a.attisdropped) AS "isOfPartners"
       FROM pg_class c
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
         AND c.relnamespace::regnamespace::text !~ '^(pg_|information_schema|scope)'
       ORDER BY 1`,
    );
    found.push(...rows.map((row) => ({ ...row, client, name: `${service}.${row.sql}` })));
  }
  return found;
}

const isNamed = `t::text ILIKE '%${word}%'`;

async function tablesWhere(condition: (table: Table) => string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await allTables()) {
    const { rows } = await table.client.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM ${table.sql} t WHERE ${condition(table)}) AS found`,
    );
    if (rows[0]?.found) found.push(table.name);
  }
  return found.sort();
}

/** The tables with rows of the company, by its id or by anything that it calls its own. */
const tablesWithTraces = async () =>
  tablesWhere(
    ({ isOfPartners }) => `${isOfPartners ? `partner_id = ${pid} OR` : ''} ${isNamed}
      OR to_jsonb(t)::text ~* '"partner_?id": "?${pid}[,"}]'`,
  );

/** How many rows each other tenant has in each table, but for those of what `except` names. */
async function rowsOfOthers(except: readonly string[] = []): Promise<Record<string, unknown>> {
  const counts: Record<string, unknown> = {};
  for (const { client, isOfPartners, name, sql } of await allTables()) {
    if (!isOfPartners || except.includes(name)) continue;
    const { rows } = await client.query(
      `SELECT partner_id AS partner, count(*)::integer AS rows FROM ${sql} WHERE partner_id <> ${pid}
       GROUP BY 1 ORDER BY 1`,
    );
    counts[name] = rows;
  }
  return counts;
}

/** Files in the store of the company, by their place or by what is in them; and those with a place of another. */
async function objects(): Promise<{ own: string[]; others: string[] }> {
  const folder = join(product.dataDir, 'objects');
  // Once more where a job takes a folder away while it is listed.
  const entries = await vi.waitFor(
    async () => readdir(folder, { recursive: true, withFileTypes: true }),
    patience,
  );
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const place = `partners/${pid}/`;
  const own: string[] = [];
  const others: string[] = [];
  for (const path of paths) {
    const name = path.slice(folder.length);
    // What a job takes away between the listing and the reading is not left.
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (!bytes) continue;
    if (name.includes(`/${place}`) || bytes.includes(word) || bytes.includes(place)) own.push(name);
    else if (name.includes('/partners/')) others.push(name);
  }
  return { own, others: others.sort() };
}

/** All that was told has been heard: by every service, with what it told in turn. */
async function everythingIsHeard(): Promise<void> {
  await vi.waitFor(async () => {
    for (const [service, client] of databases) {
      const { rows } = await client.query<{ waiting: number }>(
        `SELECT (SELECT count(*) FROM messaging.outbox)
           + (SELECT count(*) FROM messaging.inbox WHERE status <> 'done')::integer AS waiting`,
      );
      expect([service, Number(rows[0]?.waiting)]).toEqual([service, 0]);
    }
  }, patience);
}

async function turnOnTwoFactors(token: string): Promise<void> {
  const { secret } = await ask(token, 'POST', '/v1/partner/two_factor', { password: demoPassword });
  const code = new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate();
  await ask(token, 'PUT', '/v1/partner/two_factor', { code });
}

/** A time, in whole seconds as calls have it. */
const fromNow = (ms: number) => `${new Date(Date.now() + ms).toISOString().slice(0, 19)}Z`;

const content = (text: string) => Buffer.from(`${word} ${text}`);

/** Signs the company up for a trial, and follows the link of the mail. Answers its id. */
async function signUp(email: string): Promise<number> {
  const headers = { 'x-api-key': 'demo-api-key' };
  const body = {
    ...{ email, password: demoPassword, company_name: word, outsourcing_id: 1 },
    ...{
      first_name: word,
      last_name: 'Admin',
      tel: '03-1234-5678',
      purpose: 'in_house',
      agreed_to_terms: true,
    },
  };
  const made = await send(product, 'POST', '/v2/trial', { body, headers });
  expect(made.status).toBe(201);
  const token = await vi.waitFor(async () => {
    const mails = await send(product, 'GET', `/dev/mailbox?to=${email}`);
    const [, found] = /activate\?token=([\w-]+)/.exec(JSON.stringify(mails.body)) ?? [];
    if (found === undefined) throw new Error('No mail yet');
    return found;
  }, patience);
  const activated = await send(product, 'PUT', '/v2/signup/activate', { body: { token } });
  expect(activated.status).toBe(200);
  return Number(made.body.id);
}

/** Makes one of everything. Each part is told apart by its name, which has the word in it. */
/** Somebody has come by single sign-on, another is on the way, and a third is at the provider. */
async function signInBySso(code: string, keys: Keys): Promise<void> {
  const login = `${product.url}/v1/user/login/sso`;
  const codeVerifier = randomBytes(32).toString('base64url');
  const requested = async () => {
    const query = new URLSearchParams({
      partner_code: code,
      agent: 'deleted/1.0',
      redirect_url: 'http://127.0.0.1:1/',
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const { headers } = await fetch(`${login}?${query}`, { redirect: 'manual' });
    const message = new URL(headers.get('location') ?? '').searchParams.get('SAMLRequest') ?? '';
    return / ID="([^"]+)"/.exec(inflateRawSync(Buffer.from(message, 'base64')).toString())?.[1] ?? '';
  };
  const answered = async () => {
    const said = {
      issuer: 'https://idp.example.com/metadata',
      audience: `${login}/metadata/${code}`,
      acsUrl: `${login}/acs`,
      requestId: await requested(),
      now: Date.now(),
      nameId: word,
      attributes: { [word]: [`${word}-player`] },
    };
    const body = new URLSearchParams({ SAMLResponse: posted(honest(said, { keys })) });
    const { headers } = await fetch(said.acsUrl, { method: 'POST', body, redirect: 'manual' });
    return new URL(headers.get('location') ?? '').searchParams.get('code');
  };
  await requested();
  await answered();
  const body = { code: await answered(), code_verifier: codeVerifier, platform: { uuid: `${word}-device` } };
  expect(await send(product, 'POST', '/v1/user/login/sso/token', { body })).toMatchObject({ status: 200 });
}

/** A collection with a document and an index. */
async function fillDatabase(db: string): Promise<void> {
  await databases.get('document')?.query(
    `WITH collection AS (
       INSERT INTO documents.collections (partner_id, db, name) VALUES (${pid}, '${db}', '${word}') RETURNING id),
     document AS (
       INSERT INTO documents.documents (collection_id, id, partner_id, source)
       SELECT id, 'one', ${pid}, '{"name":"${word}"}' FROM collection),
     index AS (
       INSERT INTO documents.indexes (partner_id, collection_id, field, is_ready)
       SELECT ${pid}, id, 'name', true FROM collection RETURNING id)
     INSERT INTO documents.index_entries (index_id, key, document_id, partner_id)
     SELECT id, 'x', 'one', ${pid} FROM index`,
  );
}

async function fillCompany(): Promise<void> {
  const code = `${word}-code`;
  const email = `admin@${word}.example`;
  pid = await signUp(email);
  at = `/v1/partner/partners/${pid}`;
  const contract = {
    name: `${word} Company`,
    partner_code: code,
    contract_rank: 'enterprise',
    license_count: 20,
    email: `contact@${word}.example`,
    managers: `manager@${word}.example`,
    partner_item: `${word} item`,
    comment: `${word} comment`,
    operation_log_download_flag: true,
  };
  // By way of another unit.
  await ask(root, 'PUT', `/v1/admin/partners/${pid}`, { ...contract, unit_id: 2 });
  await ask(root, 'PUT', `/v1/admin/partners/${pid}`, { unit_id: 1 });
  await publishApplication(product, root, { name: 'For sale', partnerId: pid });
  const portal = await signIn(product, code, email);
  tokens.set('portal', portal);
  const call = async (method: string, path: string, body?: object) => ask(portal, method, at + path, body);

  // People, with groups and a device. One has a link in a mail, one has had another password.
  const { id: group } = await call('POST', '/groups', { name: `${word} group` });
  const withLogin = { name: `${word} player`, login_user_id: `${word}-player`, password: demoPassword };
  await call('POST', '/users', { ...withLogin, group_ids: [group], json: `{"a":"${word}"}` });
  const byMail = { name: `${word} reader`, email: `reader@${word}.example`, group_ids: [group] };
  await call('POST', '/users', byMail);
  const other = { name: `${word} other`, login_user_id: `${word}-other`, password: demoPassword };
  const { id: otherId } = await call('POST', '/users', other);
  await call('PUT', `/users/${Number(otherId)}`, { password: `Another-${demoPassword}` });
  const player = await signIn(product, code, `${word}-player`, `${word}-device`);
  tokens.set('player', player);
  // Another device, and somebody whom the company does not have.
  const login = { partner_code: code, email, password: demoPassword };
  const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36' };
  await send(product, 'POST', '/v2/partner/login', { body: login, headers });
  const nobody = { partner_code: code, login_user_id: `${word}-nobody`, password: 'Wrong-passw0rd' };
  expect((await send(product, 'POST', '/v2/partner/login', { body: nobody })).status).toBe(401);
  await send(product, 'POST', '/v1/partner/password/reset_mail', { body: { email, partner_code: code } });

  // Files: one that players have, with an update that waits; one of the other kind; one that is deleted; uploads under way.
  const upload = async (fileName: string) =>
    uploadFile(product, portal, { partnerId: pid, name: fileName, fileName, content: content(fileName) });
  const isWhole = async (file: number) =>
    vi.waitFor(
      async () => expect(await call('GET', `/files/${file}`)).toMatchObject({ uploadStatus: 'complete' }),
      patience,
    );
  const delivered = await upload(`${word}-tour.uap`);
  await isWhole(delivered);
  // Some are told of it, others still to be.
  const rollout = { stages: [{ percent: 100, group_ids: [group] }, { percent: 100 }] };
  await call('PUT', `/files/${delivered}/groups`, { group_ids: [group], notify_email: true, rollout });
  await call('PUT', '/delivery_settings', { versions_kept: 3 });
  await call('POST', '/calendar/token');
  const reservation = {
    update_reservation_at: fromNow(day),
    file_name: `${word}-tour.uap`,
    file_size: content('update').length,
  };
  const update = await call('PUT', `/files/${delivered}/reservation`, reservation);
  await fetch(String(update.signedUrl), { method: 'PUT', body: content('update') });
  await ask(portal, 'POST', `/v1/uploads/${String(update.uploadId)}/complete`, {});
  await isWhole(await upload(`${word}-free.ufpz`));
  const gone = await upload(`${word}-gone.ufpz`);
  await isWhole(gone);
  await call('DELETE', `/files/${gone}`);
  const opened = { name: `${word} open`, file_name: `${word}-open.ufpz`, file_size: 9_000_000 };
  const { uploadId } = await call('POST', '/files', opened);
  const { parts } = await ask(portal, 'POST', `/v1/uploads/${String(uploadId)}/parts`, { part_numbers: [2] });
  const [part] = [parts].flat();
  const bytes = Buffer.alloc(9_000_000 - 8 * 1024 * 1024, word);
  expect((await fetch(String(Object(part).signedUrl), { method: 'PUT', body: bytes })).status).toBe(200);
  await vi.waitFor(async () => {
    const { files } = await ask(player, 'GET', '/v1/user/files');
    expect([files].flat().length).toBeGreaterThan(0);
  }, patience);
  // What became of it, on that device.
  const told = { version: 1, status: 'failed', reason: `${word} has no room`, at: fromNow(0) };
  await ask(player, 'PUT', `/v1/user/files/${delivered}/receipt`, told);
  // A version that was halted, which it keeps.
  const halted = await upload(`${word}-halted.ufpz`);
  await isWhole(halted);
  await call('PUT', `/files/${halted}/groups`, { group_ids: [group], rollout });
  const installed = { version: 1, status: 'installed', at: fromNow(0) };
  await ask(player, 'PUT', `/v1/user/files/${halted}/receipt`, installed);
  await call('POST', `/files/${halted}/rollout/halt`);

  // Two admins change what people get: one of them asks.
  const secondAdmin = { name: `${word} second`, email: `second@${word}.example`, password: demoPassword };
  await call('POST', '/admins', secondAdmin);
  await call('PUT', '/delivery_settings', { versions_kept: 3, approval_required: true });
  await call('PUT', `/files/${delivered}/groups`, { group_ids: [] });

  // Imports: one that is applied, one that waits, one that is wrong.
  const lineOf = (name: string) => `${word} ${name},${name}@${word}.example,,,,,0`;
  const imported = async (name: string) =>
    importUsers(product, portal, { partnerId: pid, lines: [lineOf(name)], preview: true });
  const applied = await imported('applied');
  await call('POST', '/users/csv/apply', { batch_process_id: applied });
  await importSettled(product, portal, { partnerId: pid, id: applied });
  await imported('waiting');
  const wrong = importUsers(product, portal, {
    partnerId: pid,
    lines: [`${word} wrong,,,,,,0`],
    preview: true,
  });
  await expect(wrong).rejects.toThrow();

  // Pushes: a device that has told its token, a certificate, a notification that waits and one that is on its way.
  const reached = async () => (await call('POST', '/push_notifications/audience', {})).devices;
  for (const pushToken of [`${word}-former-token`, `${word}-token`]) {
    await ask(player, 'PUT', `/v1/user/platforms/${word}-device`, {
      push_token: pushToken,
      push_service: 'fcm',
    });
    await expect.poll(reached, patience).toBe(1);
  }
  const authority = await createAuthority();
  const { certificate, privateKey } = await authority.forApp(`com.example.${word}`);
  const certification = {
    name: `${word} certificate`,
    api_key: serviceAccountKey(),
    certification_file_name: `${word}.p12`,
    certificate,
    private_key: privateKey,
  };
  const { id: certificationId } = await call('POST', '/push_notifications/certifications', certification);
  const push = { message: `${word} news`, title: `${word} push`, certification_id: certificationId };
  await call('POST', '/push_notifications', { ...push, deliver_datetime: fromNow(day) });
  await call('POST', '/push_notifications', push);
  // Who has no device is reached at once.
  await call('POST', '/push_notifications', { ...push, user_ids: [otherId] });

  await call('POST', '/sso/tokens', { name: `${word} token` });
  const keys = await newKeys();
  const metadata = base64(metadataXml({ certificates: [keys.certificate] }));
  await call('POST', '/sso', { metadata, username_attribute: word });
  await call('POST', '/sso/test', {});
  await signInBySso(code, keys);

  const trial = { contract_status: 1, expire_date: fromNow(day) };
  const { db } = await ask(root, 'POST', `/api/v2/admin/databases/${pid}`, trial);
  await fillDatabase(String(db));

  for (const noun of ['users', 'files', 'operation_logs']) {
    const { id } = await call('POST', `/${noun}/csv/batches`);
    const status = async () => (await call('GET', `/${noun}/csv/batches/${Number(id)}`)).status;
    await expect.poll(status, patience).toBe('complete');
  }
  await vi.waitFor(async () => {
    const { notices } = await ask(portal, 'GET', '/v1/partner/notices');
    expect([notices].flat().map((notice) => Object(notice).kind)).toEqual(
      expect.arrayContaining(['export_ready', 'import_ended']),
    );
  }, patience);
  await ask(portal, 'PUT', '/v1/partner/notices/read', { all: true });
  await ask(portal, 'PUT', '/v1/partner/preferences', { theme: word });

  // What a mail server says, which a demo has not.
  const bounced = [pid, `bounced@${word}.example`, 'No such mailbox'];
  // No identity provider is here: as a sign-up by one leaves it.
  await databases
    .get('identity')
    ?.query("INSERT INTO linked_identities VALUES ('https://issuer.example', 'subject', $1, 1)", [pid]);
  await databases.get('mail')?.query(
    `INSERT INTO bounces (mail_id, partner_id, email, kind, reason, occurred_at)
       VALUES (gen_random_uuid(), $1, $2, 'permanent', $3, now())`,
    bounced,
  );
  await databases
    .get('tenant')
    ?.query(
      `INSERT INTO bounces (partner_id, email, kind, reason, occurred_at) VALUES ($1, $2, 'hard', $3, now())`,
      bounced,
    );

  await turnOnTwoFactors(portal);
  await ask(portal, 'PUT', `${at}/security_settings`, { two_factor_required: true });
  expect((await send(product, 'POST', '/v2/partner/login', { body: login })).body.code).toBe('E40103');
}

beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: 'silent' });
  await connect();
  root = await signInAdmin(product);
}, 120_000);
afterAll(async () => {
  await disconnect();
  await product?.remove();
});

/** In whichever database. */
const ofEach = (table: string): readonly string[] =>
  servicesWithDatabase.map((service) => `${service}.messaging.${table}`);

/** Tables of partners that have rows only while something is under way, or where mails are rationed, as they are not here. */
const emptyAsARule: readonly string[] = [
  'document.document_deletions',
  ...ofEach('csv_task'),
  ...ofEach('task'),
  ...ofEach('deleted_partner'),
  'file.delivery_changes',
  'file.early_receipts',
  'file.newcomers',
  'identity.reset_mails',
  'push.delivery_pages',
  'push.delivery_runs',
  'push.file_pushes',
  'tenant.licence_holds',
  'user.file_notices',
  'user.group_holds',
  'user.import_rows',
  'user.licence_holds',
];

/** Where rows stay for good, or for as long as the log tells of the company: docs/data-kept.md says so. */
const kept: readonly string[] = [
  ...ofEach('deleted_partner'),
  // The number of the company as one that is deleted, where there is a copy of companies.
  ...ofEach('copy').filter((name) => !/^(identity|tenant)/.test(name)),
  'batch.logs.operation_logs',
  'batch.people',
  'tenant.licence_changes',
  'tenant.partner_units',
  // That its address had a trial, which the address is not told by.
  'tenant.sign_up_addresses',
].sort();

/** Tables of partners in which the rows of each have no index of their own: without one, a table is read from its start for each piece. */
const withoutIndex: readonly string[] = [
  // Rows only while something is under way, of an hour at most.
  ...ofEach('csv_task'),
  ...ofEach('task'),
  'identity.challenges',
  'identity.reset_mails',
  'sso.setting_tests',
  'sso.sign_in_codes',
  // Rows of imports that are under way.
  'user.import_rows',
  // Few rows in all.
  'push.certification_secrets',
  'push.pushbox_entries',
  // They are found by another index.
  'file.receipts',
  'identity.sessions',
  // They are not deleted as rows of a company.
  'batch.exports',
  'document.document_deletions',
  ...['documents', 'index_entries', 'indexes', 'usage'].map((table) => `document.documents.${table}`),
].sort();

/** Where its name or those of its people stay. */
const keptNames: readonly string[] = ['batch.logs.operation_logs', 'batch.people', 'tenant.licence_changes'];

/** What the gateway has counted may arrive after the deletion: it goes when late rows are looked for, an hour after. */
const addedLate: readonly string[] = ['tenant.daily_usage', 'tenant.quarter_usage'];

/** Where rows stay for a while, as the document says too. */
const keptForDays: readonly string[] = [
  ...ofEach('inbox'),
  'batch.exports',
  'document.document_deletions',
  'file.removals',
  'identity.sessions',
];

/** Where the store has the bytes of its files. */
async function storedFiles(): Promise<string[]> {
  const { rows } = await databases.get('file')!.query<{ key: string }>(
    `SELECT DISTINCT object_key AS key FROM versions
       WHERE partner_id = ${pid} AND file_id IS NOT NULL AND status = 'complete' AND NOT released`,
  );
  return rows.map(({ key }) => key).sort();
}

test('Each table that may be large has an index of the rows of each company', async () => {
  const found: string[] = [];
  for (const { client, isOfPartners, name, sql } of await allTables()) {
    if (!isOfPartners) continue;
    const { rowCount } = await client.query(
      `SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
       WHERE i.indrelid = $1::regclass AND i.indpred IS NULL AND a.attname = 'partner_id'`,
      [sql],
    );
    if (rowCount === 0) found.push(name);
  }
  expect(found.sort()).toEqual(withoutIndex);
});

test('The company has rows in every table that can have some, and files in the store', async () => {
  await fillCompany();
  await everythingIsHeard();
  const missing = async () => {
    const traced = new Set(await tablesWithTraces());
    return (await allTables())
      .filter(({ isOfPartners, name }) => isOfPartners && !traced.has(name))
      .map(({ name }) => name)
      .filter((name) => !emptyAsARule.includes(name));
  };
  await expect.poll(missing, patience).toEqual([]);
  expect((await objects()).own.length).toBeGreaterThan(5);
}, 120_000);

describe('When a company is deleted', () => {
  const path = () => `/v1/admin/partners/${pid}`;
  const calls = [
    ['portal', () => `${at}/users`],
    ['portal', () => `${at}/files`],
    ['portal', () => `${at}/summary`],
    ['portal', () => `${at}/operation_logs`],
    ['portal', () => '/v1/partner/sessions'],
    ['portal', () => '/v1/partner/notices'],
    ['portal', () => '/v1/token/validate'],
    ['player', () => '/v1/user/files'],
    ['player', () => '/v1/token/validate'],
    ['player', () => '/v2/oauth2/token'],
  ] as const;
  const outcomes = async () =>
    Promise.all(
      calls.map(async ([token, of]) => {
        const { body, status } = await send(product, 'GET', of(), { token: tokens.get(token) });
        return `${of()} ${status} ${String(body.code)}`;
      }),
    );
  let stored: string[];

  test('then that is refused while its licence lasts, its people are out, and nobody else loses anything', async () => {
    const refused = await send(product, 'DELETE', path(), { token: root });
    expect([refused.status, refused.body.code]).toEqual([400, 'E40032']);
    await ask(root, 'PUT', path(), { license_expired_on: fromNow(-2 * day) });
    await everythingIsHeard();
    const before = await rowsOfOthers();
    stored = (await objects()).others;
    const whole = await storedFiles();
    expect(whole.length).toBeGreaterThan(0);
    await ask(root, 'DELETE', path());
    // What tells of the token itself, or renews it, lets in whose licence is over: until the services hear of the end.
    await expect.poll(outcomes, patience).toEqual(calls.map(([, of]) => `${of()} 401 E40102`));
    const again = { partner_code: `${word}-code`, login_user_id: `${word}-other`, password: demoPassword };
    expect((await send(product, 'POST', '/v2/partner/login', { body: again })).body.code).toBe('E40402');
    await everythingIsHeard();
    const left = async () => (await tablesWithTraces()).filter((name) => !addedLate.includes(name));
    await expect.poll(left, patience).toEqual([...kept, ...keptForDays].sort());
    expect(await rowsOfOthers()).toEqual(before);
    expect((await objects()).others).toEqual(stored);
    // What was stored whole could be taken out of the store for a week.
    const due = await databases
      .get('file')!
      .query<{ key: string; isLate: boolean }>(
        `SELECT key, max(due_at) > now() + interval '6 days' AS "isLate" FROM removals WHERE key = ANY ($1) GROUP BY key`,
        [whole],
      );
    expect(due.rows.map(({ isLate, key }) => [key, isLate]).sort()).toEqual(whole.map((key) => [key, true]));
    const { own } = await objects();
    // On the disk an "@" is before the last part of a key.
    const onDisk = whole.map((key) => `/${key.replace(/\/(?=[^/]*$)/, '/@')}`);
    expect(onDisk.filter((name) => !own.some((found) => found.endsWith(name)))).toEqual([]);
  }, 60_000);

  test('then eight days later nothing is left but what is kept for longer, and its code and addresses are free', async () => {
    await disconnect();
    await product.stop();
    await product.start({ CLOCK_OFFSET_MS: String(8 * day + 3_600_000) });
    await connect();
    await expect.poll(tablesWithTraces, patience).toEqual(kept);
    // Of these the others have its number alone.
    expect(await tablesWhere(() => isNamed)).toEqual(keptNames);
    await expect.poll(async () => (await objects()).own, patience).toEqual([]);
    expect((await objects()).others).toEqual(stored);

    const admin = await signInAdmin(product);
    const company = {
      name: 'Another',
      partner_code: `${word}-code`,
      unit_id: 1,
      contract_rank: 'standard',
      license_count: 1,
    };
    const { id } = await ask(admin, 'POST', '/v1/admin/partners', company);
    expect(id).not.toBe(pid);
    const body = { name: 'Another', email: `admin@${word}.example`, password: demoPassword };
    const admins = `/v1/admin/partners/${Number(id)}/admins`;
    await vi.waitFor(async () => ask(admin, 'POST', admins, body), patience);
  }, 120_000);
});
