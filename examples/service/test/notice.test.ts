import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { batchEvents, type RouteContract, serviceNames, tenantEvents } from '@portal/contracts';
import { allEvents, allRoutes } from '@portal/contracts/catalogue';
import { openApiDocument } from '@portal/contracts/documents';
import { findPartner } from '@portal/contracts/internal';
import { assertNoDrift } from '@portal/database';
import { AppError } from '@portal/kernel';
import { implement } from '@portal/service-kit';
import {
  type Actor,
  adminActor,
  partnerActor,
  type ServiceHarness,
  startServiceHarness,
} from '@portal/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { noticeEntry, noticeEvents, noticeRoutes } from '../contracts/index.ts';
import { noticeService } from '../src/service.ts';

/** One service with one of each kind of part, run for real: all that a new service needs is there. */

let harness: ServiceHarness;
/** How often the tenant service was asked about a partner. */
let asked = 0;
let partners = 100;

beforeAll(async () => {
  harness = await startServiceHarness(noticeService, {
    ownEvents: Object.values(noticeEvents),
    peers: [
      implement(findPartner, async () => {
        asked += 1;
        throw new AppError('E40402');
      }),
    ],
  });
});
afterAll(async () => harness.stop());

const stateOf = (partnerId: number, more: Partial<typeof tenantEvents.partnerCreated.example> = {}) => ({
  ...tenantEvents.partnerCreated.example,
  partnerId,
  ...more,
});

/** A partner of its own, of whom an event has told, with an admin who calls. */
async function partner(
  more: Parameters<typeof stateOf>[1] = {},
): Promise<{ pid: number; actor: Actor; notice(name: string): Promise<number> }> {
  partners += 1;
  const pid = partners;
  await harness.deliver(tenantEvents.partnerCreated, {
    subject: pid,
    partnerId: pid,
    data: stateOf(pid, more),
  });
  const actor = partnerActor({ partnerId: pid });
  return {
    pid,
    actor,
    async notice(name) {
      const body = { name, text: `About ${name}` };
      const made = await harness.call(noticeRoutes.createNotice, { params: { pid }, body }, actor);
      expect(made.status).toBe(201);
      return made.body.id;
    },
  };
}

it('When notices are listed, then they come in pages, ordered and filtered', async () => {
  const { actor, notice, pid } = await partner();
  const [b, a] = [await notice('Bread'), await notice('apples')];
  await notice('Cherries');
  const names = async (query: object) => {
    const { body } = await harness.call(noticeRoutes.listNotices, { params: { pid }, query }, actor);
    const { currentPage, totalCount, totalPage } = body;
    return [currentPage, totalPage, totalCount, ...body.notices.map(({ name }) => name)];
  };
  expect(await names({ orderKey: 'name', order: 'asc', perPage: 2 })).toEqual([1, 2, 3, 'apples', 'Bread']);
  expect(await names({ orderKey: 'name', order: 'asc', perPage: 2, page: 2 })).toEqual([2, 2, 3, 'Cherries']);
  expect(await names({ name: 'RE' })).toEqual([1, 1, 1, 'Bread']);

  const removed = await harness.call(noticeRoutes.deleteNotice, { params: { pid, id: b } }, actor);
  expect([removed.status, await names({ order: 'asc' })]).toEqual([200, [1, 1, 2, 'apples', 'Cherries']]);
  const gone = await harness.refused(noticeRoutes.getNotice, { params: { pid, id: b } }, actor);
  expect([gone.status, gone.body.code]).toEqual([404, 'E40401']);
  expect((await harness.call(noticeRoutes.getNotice, { params: { pid, id: a } }, actor)).body.name).toBe(
    'apples',
  );
});

it('When a notice is patched, then only what is named changes, and a taken name is refused at its field', async () => {
  const { actor, notice, pid } = await partner();
  const id = await notice('Bread');
  await notice('Apples');
  const patch = async (body: object) =>
    harness.refused(noticeRoutes.updateNotice, { params: { pid, id }, body }, actor);
  expect((await patch({ text: 'New' })).status).toBe(200);
  const { body } = await harness.call(noticeRoutes.getNotice, { params: { pid, id } }, actor);
  expect([body.name, body.text]).toEqual(['Bread', 'New']);
  const taken = await patch({ name: 'APPLES' });
  expect([taken.body.code, taken.body.errors.map(({ field }) => field)]).toEqual(['E40029', ['name']]);
});

it('When a document is put, then its names stay as they are, and a change meant for another version is refused', async () => {
  const { actor, notice, pid } = await partner();
  const params = { pid, id: await notice('Bread') };
  const value = {
    _id: 'x',
    firstName: 'Taro',
    first_name: 'Jiro',
    inner: [{ deepName: { other_name: null } }],
  };
  const put = async (body: object, ifMatch?: string) =>
    harness.call(
      noticeRoutes.putNoticeDocument,
      { params, body: { ...body }, ...(ifMatch && { headers: { 'if-match': ifMatch } }) },
      actor,
    );
  const get = async (headers: Record<string, string> = {}) =>
    harness.call(noticeRoutes.getNoticeDocument, { params, headers }, actor);
  expect((await get()).status).toBe(404);

  const first = await put(value);
  expect([first.status, first.body, first.headers['etag']]).toEqual([201, value, '"1"']);
  expect((await get()).body).toEqual(value);
  const second = await put({ aB: 2, a_b: 3 }, '"1"');
  expect([second.status, second.headers['etag']]).toEqual([200, '"2"']);
  expect((await put({ late: true }, '"1"')).status).toBe(412);
  const present = await get();
  expect([present.headers['etag'], present.body]).toEqual(['"2"', { aB: 2, a_b: 3 }]);
  expect((await get({ 'if-none-match': '"2"' })).status).toBe(304);
});

it('When lines are streamed in, then all are stored, and stream out again', async () => {
  const { actor, pid } = await partner();
  const other = await partner();
  const lines = Array.from(
    { length: 1_234 },
    (_, n) => `${JSON.stringify({ name: `告知 ${n}`, text: '' })}\n`,
  );
  const imported = async (content: string) =>
    harness.refused(
      noticeRoutes.importNotices,
      { params: { pid }, body: { type: 'application/x-ndjson', content } },
      actor,
    );
  expect(await imported(lines.join(''))).toMatchObject({ status: 200, body: { createdCount: 1_234 } });
  expect(await imported(lines.slice(0, 9).join(''))).toMatchObject({
    status: 200,
    body: { createdCount: 0 },
  });

  const out = await harness.call(noticeRoutes.exportNotices, { params: { pid } }, actor);
  expect(out.headers['content-disposition']).toContain('notices.ndjson');
  expect(out.body).toBe(lines.join(''));
  const ofOther = await harness.call(noticeRoutes.exportNotices, { params: { pid: other.pid } }, other.actor);
  expect(ofOther.body).toBe('');

  const bad = await imported(`${lines[0]}{"name":1}\n`);
  expect([bad.status, bad.body.errors.map(({ field }) => field)]).toEqual([400, ['lines.2']]);
});

it('When a notice is to be published, then a worker does it once, and tells of it', async () => {
  const { actor, notice, pid } = await partner();
  const params = { pid, id: await notice('Bread') };
  const publish = async () => (await harness.call(noticeRoutes.publishNotice, { params }, actor)).status;
  expect([await publish(), await publish()]).toEqual([202, 202]);
  const told = async () =>
    (await harness.events('notice.published')).filter(({ partnerid }) => partnerid === pid);
  await vi.waitFor(async () => expect(await told()).toHaveLength(1), { timeout: 10_000, interval: 50 });
  expect((await told())[0]?.data).toEqual({ noticeId: params.id, name: 'Bread' });
  expect(await harness.sql('SELECT 1 FROM messaging.task')).toEqual([]);
  expect(await publish()).toBe(204);
  const { body } = await harness.call(noticeRoutes.getNotice, { params }, actor);
  expect(body.publishedAt).toBe('2026-11-21T09:00:00Z');
});

it('When notices.csv is wanted, then it is written into the store and told to be there', async () => {
  const { notice, pid } = await partner();
  const [id] = [await notice('=Bread')];
  const batchId = 7;
  const data = {
    ...batchEvents.csvRequested.example,
    kind: noticeRoutes.noticesCsv.kind,
    language: 'ja' as const,
    batchId,
    objectKey: `exports/${batchId}`,
  };
  await harness.deliver(batchEvents.csvRequested, { subject: batchId, partnerId: pid, data });
  await vi.waitFor(async () => expect(await harness.events('csv.completed')).toHaveLength(1), {
    timeout: 10_000,
    interval: 50,
  });
  const stored = await harness.storage.get(data.objectKey);
  if (!stored || stored === 'not-modified') throw new Error('No file');
  expect((await buffer(stored.body)).toString()).toBe(
    `\uFEFFid,name,text,published_at\r\n${id},'=Bread,About =Bread,\r\n`,
  );
});

it('When events tell of a partner, then who may call follows, whatever their order, and nobody is asked', async () => {
  const before = asked;
  const { actor, pid } = await partner({ contractRank: 'entry', revision: 1 });
  const list = async (caller: Actor) =>
    (await harness.refused(noticeRoutes.listNotices, { params: { pid } }, caller)).body.code;
  const tell = async (more: Parameters<typeof stateOf>[1]) =>
    harness.deliver(tenantEvents.partnerUpdated, { subject: pid, partnerId: pid, data: stateOf(pid, more) });
  // The contract of an entry has no such calls.
  expect(await list(actor)).toBe('E40304');
  await tell({ contractRank: 'standard', unitId: 2, revision: 3 });
  await tell({ contractRank: 'entry', unitId: 1, revision: 2 });
  expect(await list(actor)).toBeUndefined();
  expect(await list(adminActor({ unitId: 2 }))).toBeUndefined();
  expect(await list(adminActor({ unitId: 1 }))).toBe('E40402');
  expect(asked).toBe(before);
});

it('When a partner is deleted, then its rows go, and those of others stay', async () => {
  const [gone, other] = [await partner(), await partner()];
  for (const { notice } of [gone, other]) await notice('Bread');
  await harness.deliver(tenantEvents.partnerDeleted, {
    subject: gone.pid,
    partnerId: gone.pid,
    data: { partnerId: gone.pid },
  });
  const rowsOf = async ({ pid }: { pid: number }) =>
    (
      await Promise.all(
        ['notices', 'partners'].map((table) =>
          harness.sql(`SELECT 1 FROM ${table} WHERE partner_id = $1`, pid),
        ),
      )
    ).map(({ length }) => length);
  await vi.waitFor(async () => expect(await rowsOf(gone)).toEqual([0, 0]), { timeout: 10_000, interval: 50 });
  expect(await rowsOf(other)).toEqual([1, 1]);
  const late = await harness.refused(noticeRoutes.listNotices, { params: { pid: gone.pid } }, gone.actor);
  expect(late.body.code).toBe('E40102');
});

it('Of each table of partners it says what becomes of the rows', async () => {
  const tables = await harness.sql<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.columns
     WHERE column_name = 'partner_id' AND table_schema IN ('public', 'messaging') ORDER BY 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual([...noticeService.partnerTables].sort());
});

it('A tenant sees nothing of another', async () => {
  const [one, other] = [await partner(), await partner()];
  const id = await one.notice('Bread');
  const asOther = await harness.refused(
    noticeRoutes.getNotice,
    { params: { pid: other.pid, id } },
    other.actor,
  );
  expect(asOther.body.code).toBe('E40401');
  const across = await harness.refused(noticeRoutes.getNotice, { params: { pid: one.pid, id } }, other.actor);
  expect(across.status).toBe(404);
});

it('A repeated request takes effect once', async () => {
  const { actor, pid } = await partner();
  const create = async (key: string) =>
    harness.call(
      noticeRoutes.createNotice,
      { params: { pid }, body: { name: 'Bread', text: '' }, headers: { 'idempotency-key': key } },
      actor,
    );
  const key = randomUUID();
  const [first, again] = [await create(key), await create(key)];
  expect([again.status, again.body]).toEqual([201, first.body]);
});

it('The migrations make what the schema says', async () => {
  await assertNoDrift(fileURLToPath(new URL('../', import.meta.url)));
});

it('Its contracts make documents as those of the product do, and are not among them', async () => {
  const routes = [
    ...Object.values<unknown>(noticeRoutes),
    ...Object.values<unknown>(noticeRoutes.noticesCsv),
  ].filter(
    (value): value is RouteContract => typeof value === 'object' && value !== null && 'access' in value,
  );
  expect(routes).toHaveLength(15);
  expect(Object.keys(Object(openApiDocument(routes).paths))).toContain(
    '/v1/partner/partners/{pid}/notices/{id}/document',
  );
  const ids = new Set(routes.map(({ id }) => id));
  expect(allRoutes.filter(({ id }) => ids.has(id))).toEqual([]);
  expect(allEvents.map(({ type }) => type)).not.toContain(noticeEvents.noticePublished.type);
  expect(serviceNames).not.toContain(noticeService.name);
  expect(noticeEntry.engines).toContain('storage');
});
