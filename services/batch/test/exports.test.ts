import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { batchEvents, batchRoutes, operationEvents, tenantEvents, userEvents } from '@portal/contracts';
import { findFile, findPartner } from '@portal/contracts/internal';
import { assertNoDrift, enterScope, withClient } from '@portal/database';
import { AppError } from '@portal/kernel';
import { implement } from '@portal/service-kit';
import { tenantOf } from '@portal/storage';
import { adminActor, partnerActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { batchService } from '../src/service.ts';

const partner = tenantEvents.partnerCreated.example;
let harness: ServiceHarness;

beforeAll(async () => {
  harness = await startServiceHarness(batchService, {
    peers: [
      implement(findPartner, async () => {
        throw new AppError('E40402');
      }),
      implement(findFile, async ({ body }) => {
        if (body.partnerId !== 1 || body.fileId !== 5) throw new AppError('E40405');
        return {};
      }),
    ],
  });
  for (const [partnerId, unitId, operationLogDownloadFlag] of [
    [1, 1, true],
    [2, 2, false],
  ] as const) {
    await harness.deliver(tenantEvents.partnerCreated, {
      subject: partnerId,
      partnerId,
      data: { ...partner, partnerId, unitId, operationLogDownloadFlag, filePublicFlag: true },
    });
  }
});
afterAll(async () => harness.stop());
beforeEach(async () => {
  await harness.sql('DELETE FROM exports');
  await harness.sql('DELETE FROM logs.operation_logs');
});

const ours = { params: { pid: 1 } };
const of = (batchId: number) => ({ params: { pid: 1, batchId } });
const boss = partnerActor();

async function requestUsers(): Promise<number> {
  const { body, status } = await harness.call(batchRoutes.createUsersCsv, ours, boss);
  expect(status).toBe(201);
  expect(body.usersCsvBatchId).toBe(body.id);
  return body.id;
}

/** As the service that owns the rows would tell. */
async function tell(batchId: number, event: 'completed' | 'failed' | 'progressed'): Promise<void> {
  const about = { subject: batchId, partnerId: 1 };
  if (event === 'progressed')
    await harness.deliver(batchEvents.csvProgressed, {
      ...about,
      data: { batchId, rowCount: 25, totalRows: 100, stage: 'processing' },
    });
  if (event === 'completed')
    await harness.deliver(batchEvents.csvCompleted, {
      ...about,
      data: { batchId, rowCount: 100, objectKey: 'x' },
    });
  if (event === 'failed')
    await harness.deliver(batchEvents.csvFailed, { ...about, data: { batchId, reason: 'error' } });
}

describe('An export', () => {
  test('is asked for by an event, with all that its writer needs', async () => {
    const { body } = await harness.call(
      batchRoutes.createUsersCsv,
      { ...ours, query: { tz: 'America/New_York', format: 'import' }, headers: { 'accept-language': 'ja' } },
      boss,
    );
    const events = await harness.events('csv.requested');
    expect(events.at(-1)).toMatchObject({
      subject: String(body.id),
      partnerid: 1,
      data: { kind: 'users', timeZone: 'America/New_York', language: 'ja', forImport: true },
    });
    expect(await harness.sql('SELECT kind, owner, status FROM exports')).toEqual([
      { kind: 'users', owner: 'account:1', status: 'waiting' },
    ]);
  });

  test('of one file says which, if the tenant has it', async () => {
    const query = { status: 'failed,seen', group: '3', file_id: '6' };
    const begin = async (fileId: number, method: 'GET' | 'POST' = 'POST') =>
      harness.raw({
        method,
        url: `/v1/partner/partners/1/files/${fileId}/delivery/csv/batches?${new URLSearchParams(query)}`,
        actor: boss,
      });
    expect(await begin(6)).toMatchObject({ status: 404, body: { code: 'E40405' } });
    expect(await begin(6, 'GET')).toMatchObject({ status: 404, body: { code: 'E40405' } });
    const begun = await begin(5);
    expect(begun).toMatchObject({ status: 201, body: { deliveryCsvBatchId: expect.any(Number) } });
    const requested = (await harness.events('csv.requested')).at(-1)?.data;
    expect(requested).toMatchObject({ kind: 'delivery' });
    expect(Object(requested).filter).toEqual({ fileId: '5', status: 'failed,seen', group: '3' });
  });

  test('of one file is in the operation log as an export, and the file as none', async () => {
    const base = '/v1/partner/partners/1/files/5/delivery/csv/batches';
    const send = async (method: 'DELETE' | 'POST', url: string) => harness.raw({ method, url, actor: boss });
    const { body } = await send('POST', base);
    const batchId = Number(Object(body).id);
    await send('POST', base);
    await send('DELETE', `${base}/${batchId}`);
    const logged = (await harness.events('operation.logged')).slice(-3).map(({ data }) => Object(data));
    expect(logged.map(({ result, targetIds, targetKind }) => [targetKind, targetIds, result])).toEqual([
      ['export', [batchId], '201'],
      ['export', [], 'E40010'],
      ['export', [batchId], '200'],
    ]);
  });

  test('carries the filters of the list, and only those', async () => {
    const query = {
      q: "50% o'clock",
      state: 'nobody,draft',
      created_at_start: '2026-11-01T00:00:00Z',
      other: '1',
    };
    const { status } = await harness.raw({
      method: 'POST',
      url: `/v1/partner/partners/1/files/csv/batches?${new URLSearchParams(query)}`,
      actor: boss,
    });
    expect(status).toBe(201);
    expect((await harness.events('csv.requested')).at(-1)?.data).toMatchObject({
      kind: 'files',
      filter: { q: "50% o'clock", state: 'nobody,draft', createdAtStart: '2026-11-01T00:00:00Z' },
    });
    const refused = await harness.raw({
      method: 'GET',
      url: '/v1/partner/partners/1/files/csv/batches?state=gone',
      actor: boss,
    });
    expect(refused.body).toMatchObject({ code: 'E40002', errors: [{ field: 'state' }] });
  });

  test.each(['users', 'files'] as const)('of %s carries the ids of some', async (kind) => {
    const create = async (ids: string) =>
      harness.raw({
        method: 'POST',
        url: `/v1/partner/partners/1/${kind}/csv/batches?ids=${ids}`,
        actor: boss,
      });
    expect((await create('5,7')).status).toBe(201);
    expect((await harness.events('csv.requested')).at(-1)?.data).toMatchObject({
      kind,
      filter: { ids: '5,7' },
    });
    for (const wrong of ['5,', 'five', '-5', '5;7', `${'1,'.repeat(5_000)}1`]) {
      const { body, status } = await create(wrong);
      expect([status, body.code, body.errors[0]?.field]).toEqual([400, 'E40002', 'ids']);
    }
  });

  test('goes from waiting to complete as its writer tells, and then has an address', async () => {
    const id = await requestUsers();
    const state = async () => (await harness.call(batchRoutes.getUsersCsv, of(id), boss)).body;
    expect(await state()).toEqual({ id, status: 'waiting', progress: 0, rowCount: 0 });
    expect((await harness.refused(batchRoutes.getUsersCsvUrl, of(id), boss)).body.code).toBe('E40034');

    await tell(id, 'progressed');
    expect(await state()).toEqual({ id, status: 'processing', progress: 0.25, rowCount: 25 });
    await tell(id, 'completed');
    expect(await state()).toEqual({ id, status: 'complete', progress: 1, rowCount: 100 });
    // Late or repeated news changes nothing any more.
    await tell(id, 'progressed');
    await tell(id, 'failed');
    expect(await state()).toMatchObject({ status: 'complete' });

    // Who asked for it is told once.
    const ready = (await harness.events('export.ready')).filter(({ subject }) => subject === String(id));
    expect(ready.map(({ data, partnerid }) => ({ data, partnerid }))).toEqual([
      {
        partnerid: 1,
        data: { batchId: id, kind: 'users', rowCount: 100, owner: { kind: 'account', id: 1 } },
      },
    ]);

    const { body } = await harness.call(batchRoutes.getUsersCsvUrl, of(id), boss);
    expect(new URL(body.signedUrl).pathname).toContain('/storage/');
  });

  test('stands among what is of its tenant, whose transfer counts it; one of all tenants does not', async () => {
    await requestUsers();
    await harness.call(batchRoutes.createPartnersCsv, {}, adminActor());
    const keys = await harness.sql<{ object_key: string }>('SELECT object_key FROM exports ORDER BY id');
    expect(keys.map(({ object_key: key }) => tenantOf(key))).toEqual([1, undefined]);
  });

  test('may be created with GET as well, as older clients do', async () => {
    const { body, status } = await harness.call(batchRoutes.createFilesCsvByGet, ours, boss);
    expect(status).toBe(200);
    expect(body.filesCsvBatchId).toBe(body.id);
  });

  test('is the only one of its kind and caller, however many ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => harness.refused(batchRoutes.createUsersCsv, ours, boss)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
      code: 'E40010',
      message: 'A batch registration is already running.',
    });
    const japanese = { ...ours, headers: { 'accept-language': 'ja' } };
    expect((await harness.refused(batchRoutes.createUsersCsv, japanese, boss)).body.message).toBe(
      '一括処理がすでに実行中です。',
    );
    // Another kind, and another caller.
    expect((await harness.call(batchRoutes.createFilesCsv, ours, boss)).status).toBe(201);
    const colleague = partnerActor({ accountId: 2 });
    expect((await harness.call(batchRoutes.createUsersCsv, ours, colleague)).status).toBe(201);
  });

  test('that ended, in whichever way, makes room for the next', async () => {
    await tell(await requestUsers(), 'completed');
    await tell(await requestUsers(), 'failed');
    await requestUsers();
  });

  test("is nobody else's: colleagues, other tenants and other paths find nothing", async () => {
    const id = await requestUsers();
    const colleague = partnerActor({ accountId: 2 });
    const stranger = partnerActor({ partnerId: 2, accountId: 1 });
    const foreign = { params: { pid: 2, batchId: id } };
    for (const refusal of [
      await harness.refused(batchRoutes.getUsersCsv, of(id), colleague),
      await harness.refused(batchRoutes.getUsersCsvUrl, of(id), colleague),
      await harness.refused(batchRoutes.cancelUsersCsv, of(id), colleague),
      await harness.refused(batchRoutes.getUsersCsv, foreign, stranger),
      await harness.refused(batchRoutes.getFilesCsv, of(id), boss),
      await harness.refused(batchRoutes.getPartnersCsv, { params: { batchId: id } }, adminActor()),
    ]) {
      expect(refusal).toMatchObject({ status: 404, body: { code: 'E40401' } });
    }
  });

  test('that is cancelled has failed, and its writer stops', async () => {
    const id = await requestUsers();
    expect((await harness.call(batchRoutes.cancelUsersCsv, of(id), boss)).status).toBe(200);
    expect((await harness.call(batchRoutes.getUsersCsv, of(id), boss)).body.status).toBe('failed');
    expect((await harness.events('csv.failed')).at(-1)).toMatchObject({
      subject: String(id),
      data: { reason: 'cancelled' },
    });
    await tell(id, 'completed');
    expect((await harness.call(batchRoutes.getUsersCsv, of(id), boss)).body.status).toBe('failed');
  });

  test('whose writer is silent has failed; one that tells goes on', async () => {
    const id = await requestUsers();
    harness.clock.advance(100_000);
    await tell(id, 'progressed');
    harness.clock.advance(100_000);
    expect((await harness.call(batchRoutes.getUsersCsv, of(id), boss)).body.status).toBe('processing');
    harness.clock.advance(21_000);
    await harness.runJobs();
    expect((await harness.call(batchRoutes.getUsersCsv, of(id), boss)).body.status).toBe('failed');
    expect((await harness.events('csv.failed')).at(-1)).toMatchObject({ data: { reason: 'silence' } });
  });

  test('that was running while nobody listened goes on, and fails if its writer is silent from then on', async () => {
    const restarted = await startServiceHarness(batchService);
    const data = { ...partner, partnerId: 1, unitId: 1 };
    await restarted.deliver(tenantEvents.partnerCreated, { subject: 1, partnerId: 1, data });
    const done = (await restarted.call(batchRoutes.createUsersCsv, ours, boss)).body.id;
    const silent = (await restarted.call(batchRoutes.createFilesCsv, ours, boss)).body.id;
    await restarted.sql("UPDATE exports SET heard_at = heard_at - interval '1 hour'");
    const states = async () => [
      (await restarted.call(batchRoutes.getUsersCsv, of(done), boss)).body.status,
      (await restarted.call(batchRoutes.getFilesCsv, of(silent), boss)).body.status,
    ];
    await restarted.runJobs();
    expect(await states()).toEqual(['waiting', 'waiting']);
    const completed = { batchId: done, rowCount: 100, objectKey: 'x' };
    await restarted.deliver(batchEvents.csvCompleted, { subject: done, partnerId: 1, data: completed });
    expect(await states()).toEqual(['complete', 'waiting']);
    restarted.clock.advance(121_000);
    await restarted.runJobs();
    expect(await states()).toEqual(['complete', 'failed']);
    await restarted.stop();
  });

  test('that waits is not given up while its writer tells of it, and is once that is gone', async () => {
    const [waiting, forgotten] = [
      await requestUsers(),
      (await harness.call(batchRoutes.createFilesCsv, ours, boss)).body.id,
    ];
    const states = async () => [
      (await harness.call(batchRoutes.getUsersCsv, of(waiting), boss)).body.status,
      (await harness.call(batchRoutes.getFilesCsv, of(forgotten), boss)).body.status,
    ];
    for (let minutes = 1; minutes <= 3; minutes += 1) {
      harness.clock.advance(60_000);
      const data = { kind: 'users', batchIds: [waiting, 1_000_000] };
      await harness.deliver(batchEvents.csvWaiting, { subject: 'users', partnerId: null, data });
    }
    await harness.runJobs();
    expect(await states()).toEqual(['waiting', 'failed']);
    harness.clock.advance(121_000);
    await harness.runJobs();
    expect(await states()).toEqual(['failed', 'failed']);
  });

  test('waits behind another of an administrator for as long as that takes', async () => {
    const ofA = adminActor();
    const ofB = adminActor({ adminId: 2 });
    // Another instance writes that of A, which takes an hour.
    await harness.sql(
      `INSERT INTO messaging.task (queue, id, payload, added_at, due_at, lease)
       VALUES ('write-exports', 'of A', '{"kind":"operationLogs"}', $1, $1::timestamptz + interval '1 hour', gen_random_uuid())`,
      harness.clock.now().toISOString(),
    );
    const { id } = (await harness.call(batchRoutes.createAllOperationLogsCsv, {}, ofB)).body;
    const status = async () =>
      (await harness.call(batchRoutes.getAllOperationLogsCsv, { params: { batchId: id } }, ofB)).body.status;
    const told = async () =>
      (await harness.events('csv.waiting')).filter(({ data }) => Object(data).batchIds.includes(id)).length;
    for (let halves = 1; halves <= 6; halves += 1) {
      harness.clock.advance(30_000);
      await vi.waitFor(
        harness.afterJobs(async () => expect(await told()).toBeGreaterThanOrEqual(halves)),
        15_000,
      );
    }
    expect(await status()).toBe('waiting');
    // Its turn has come.
    await harness.sql(`DELETE FROM messaging.task WHERE id = 'of A'`);
    await vi.waitFor(
      harness.afterJobs(async () => expect(await status()).toBe('complete')),
      15_000,
    );
    expect(
      (await harness.refused(batchRoutes.cancelAllOperationLogsCsv, { params: { batchId: id } }, ofA)).status,
    ).toBe(404);
  });
});

describe('A caller', () => {
  test.each([
    ['an unknown time zone', { tz: 'Mars/Olympus' }, 'tz'],
    ['a time zone that JavaScript alone knows', { tz: 'SystemV/PST8' }, 'tz'],
    ['no day', { operationDateStart: '2026-02-30T00:00:00Z' }, 'operation_date_start'],
    ['a date of another form', { operationDateEnd: '2026-02-03' }, 'operation_date_end'],
    [
      'a range that ends before it begins',
      { operationDateStart: '2026-02-03T00:00:00Z', operationDateEnd: '2026-02-02T00:00:00Z' },
      'operation_date_end',
    ],
  ])('with %s is told so', async (_, query, field) => {
    const refusal = await harness.refused(batchRoutes.createOperationLogsCsv, { ...ours, query }, boss);
    expect(refusal).toMatchObject({ status: 400, body: { code: 'E40002', errors: [{ field }] } });
  });

  test('without the right to it is refused', async () => {
    const sender = partnerActor({ role: 1 });
    const developer = partnerActor({ role: 16 });
    const reader = adminActor({ role: 15 });
    for (const refusal of [
      await harness.refused(batchRoutes.createFilesCsv, ours, sender),
      await harness.refused(batchRoutes.createOperationLogsCsv, ours, developer),
      await harness.refused(batchRoutes.createPartnersCsv, {}, reader),
      await harness.refused(batchRoutes.createAllOperationLogsCsv, {}, reader),
    ]) {
      expect(refusal).toMatchObject({ status: 403, body: { code: 'E40301' } });
    }
    expect((await harness.refused(batchRoutes.createPartnersCsv, {}, boss)).body.code).toBe('E40102');
    expect((await harness.refused(batchRoutes.createUsersCsv, ours, adminActor())).body.code).toBe('E40102');
  });

  test('whose contract has no log download is refused', async () => {
    const other = partnerActor({ partnerId: 2 });
    const refusal = await harness.refused(batchRoutes.createOperationLogsCsv, { params: { pid: 2 } }, other);
    expect(refusal).toMatchObject({ status: 403, body: { code: 'E40301' } });
  });
});

describe('Operation logs', () => {
  /** What the tests themselves do is logged as well, later. */
  const past = { operationDateEnd: '2026-11-21T00:00:00Z' };

  async function log(
    partnerId: number | null,
    at: string,
    data: Partial<(typeof operationEvents.operationLogged)['example']>,
  ): Promise<void> {
    await harness.deliver(operationEvents.operationLogged, {
      subject: 'request',
      partnerId,
      data: { ...operationEvents.operationLogged.example, requestId: 'request', at, ...data },
    });
  }

  async function exported(
    create: typeof batchRoutes.createAllOperationLogsCsv | typeof batchRoutes.createOperationLogsCsv,
    query: { operationDateStart?: string; operationDateEnd?: string; tz?: string },
    actor = boss,
  ): Promise<string> {
    const { body } = await harness.call(create, { params: { pid: 1 }, query }, actor);
    const isAdmin = actor.kind === 'admin';
    const find = async () =>
      isAdmin
        ? harness.call(batchRoutes.getAllOperationLogsCsv, { params: { batchId: body.id } }, actor)
        : harness.call(batchRoutes.getOperationLogsCsv, of(body.id), actor);
    await vi.waitFor(
      harness.afterJobs(async () => expect((await find()).body.status).toBe('complete')),
      15_000,
    );
    const [row] = await harness.sql<{ object_key: string }>(
      'SELECT object_key FROM exports WHERE id = $1',
      body.id,
    );
    const content = await harness.storage.get(row?.object_key ?? '');
    if (!content || content === 'not-modified') throw new Error('No file');
    return (await buffer(content.body)).toString();
  }

  test('hold who did what, from where, and what came of it, in the zone of the caller', async () => {
    await harness.deliver(userEvents.userCreated, {
      subject: 5,
      partnerId: 1,
      data: { ...userEvents.userCreated.example, userId: 5, email: 'five@example.com' },
    });
    await log(1, '2026-11-20T20:00:00.500Z', { accountId: 5, role: 16, agent: '=cmd|"x"' });
    await log(1, '2026-11-20T21:00:00.000Z', {
      accountKind: null,
      accountId: null,
      role: null,
      result: 'E40101',
    });
    await log(1, '2026-11-20T21:30:00.000Z', { accountId: 5, operation: 'partnerLogin', result: 'E40101' });
    await log(2, '2026-11-20T22:00:00.000Z', {});
    expect(await exported(batchRoutes.createOperationLogsCsv, past)).toBe(
      [
        '\uFEFFwhen,who,role,address,agent,operation,target,result,text',
        '2026-11-21 05:00:00,five@example.com,16,127.0.0.1,"\'=cmd|""x""",createGroup,/v1/partner/partners/1/groups?id=3,201,Creation of a group',
        '2026-11-21 06:00:00,,,127.0.0.1,portal-web/0.1.0,createGroup,/v1/partner/partners/1/groups?id=3,E40101,Creation of a group refused: Invalid authentication.',
        '2026-11-21 06:30:00,five@example.com,268435456,127.0.0.1,portal-web/0.1.0,partnerLogin,/v1/partner/partners/1/groups?id=3,E40101,Sign-in refused: Invalid authentication.',
        '',
      ].join('\r\n'),
    );
  });

  test('of a range begin with its start and end before its end', async () => {
    for (const hour of ['09', '10', '11', '12']) await log(1, `2026-11-20T${hour}:00:00.000Z`, {});
    const csv = await exported(batchRoutes.createOperationLogsCsv, {
      operationDateStart: '2026-11-20T10:00:00Z',
      operationDateEnd: '2026-11-20T12:00:00Z',
      tz: 'UTC',
    });
    expect(csv.match(/2026-11-20 \d\d/g)).toEqual(['2026-11-20 10', '2026-11-20 11']);
  });

  test('of everyone are for administrators; those of a unit get those of its partners and their own', async () => {
    await log(1, '2026-11-20T09:00:00.000Z', { target: '/one' });
    await log(2, '2026-11-20T10:00:00.000Z', { target: '/two' });
    await log(null, '2026-11-20T11:00:00.000Z', { accountKind: 'admin', target: '/admin' });
    await log(null, '2026-11-20T12:00:00.000Z', { accountKind: 'admin', unitId: 1, target: '/unit-one' });
    await log(null, '2026-11-20T13:00:00.000Z', { accountKind: 'admin', unitId: 2, target: '/unit-two' });
    const everything = await exported(batchRoutes.createAllOperationLogsCsv, past, adminActor());
    const targets = /\/(one|two|admin|unit-one|unit-two)(?=,)/g;
    expect(everything.match(targets)).toEqual(['/one', '/two', '/admin', '/unit-one', '/unit-two']);
    const unit = await exported(
      batchRoutes.createAllOperationLogsCsv,
      past,
      adminActor({ adminId: 2, unitId: 2 }),
    );
    expect(unit.match(targets)).toEqual(['/two', '/unit-two']);
    expect((await exported(batchRoutes.createOperationLogsCsv, past)).match(targets)).toEqual(['/one']);
  });

  test('that could not be exported have no address, with a code of their own', async () => {
    const { body } = await harness.call(
      batchRoutes.createOperationLogsCsv,
      { ...ours, query: { operationDateEnd: past.operationDateEnd } },
      boss,
    );
    await harness.call(batchRoutes.cancelOperationLogsCsv, of(body.id), boss);
    for (const [language, message] of [
      ['ja', '操作ログのダウンロードに失敗しました。'],
      ['en', 'The operation log download failed.'],
    ] as const) {
      const request = { ...of(body.id), headers: { 'accept-language': language } };
      expect(await harness.refused(batchRoutes.getOperationLogsCsvUrl, request, boss)).toMatchObject({
        status: 400,
        body: { code: 'E40024', message },
      });
    }
  });

  test('are stored once, however often they arrive', async () => {
    const at = '2026-11-19T09:00:00.000Z';
    const data = { ...operationEvents.operationLogged.example, requestId: 'again', at };
    await harness.deliver(operationEvents.operationLogged, {
      subject: 'again',
      partnerId: 1,
      data,
      times: 3,
    });
    await log(1, '2026-11-19T10:00:00.000Z', {});
    const kept = await harness.sql('SELECT at FROM logs.operation_logs WHERE at < $1', '2026-11-21');
    expect(kept).toHaveLength(2);
  });

  test('get their final result when an earlier one was stored', async () => {
    const about = { subject: 'request', partnerId: 1 };
    const at = '2026-11-18T09:00:00.000Z';
    const data = { ...operationEvents.operationLogged.example, requestId: 'request', at };
    await harness.deliver(operationEvents.operationLogged, { ...about, data });
    const [first] = await harness.sql<{ id: string }>(
      'SELECT event_id AS id FROM logs.operation_logs WHERE at = $1',
      at,
    );
    await harness.deliver(operationEvents.operationLogged, {
      ...about,
      data: { ...data, target: '/other', result: 'E40031', supersedes: first?.id ?? '' },
    });
    expect(await harness.sql('SELECT target, result FROM logs.operation_logs WHERE at = $1', at)).toEqual([
      { target: '/other', result: 'E40031' },
    ]);
  });

  test('stand in a partition a month, made ahead and dropped after 400 days', async () => {
    const months = async () =>
      (
        await harness.sql<{ name: string }>(
          `SELECT relname AS name FROM pg_class WHERE relname ~ '^operation_logs_[0-9]{4}_[0-9]{2}$' AND relkind = 'r' ORDER BY 1`,
        )
      ).map(({ name }) => name.slice(-7));
    await log(1, '2025-09-10T09:00:00.000Z', {});
    await log(1, '2025-10-10T09:00:00.000Z', {});
    expect(await months()).toEqual(
      expect.arrayContaining(['2025_09', '2025_10', '2026_11', '2026_12', '2027_01']),
    );
    await harness.sql(`SELECT logs.drop_months('2025-10-17T09:00:00Z')`);
    expect(await months()).not.toContain('2025_09');
    expect(await months()).toContain('2025_10');
  });

  test('of another tenant no query of the service role can see, in whichever table', async () => {
    await log(1, '2026-11-20T09:00:00.000Z', {});
    await withClient(harness.databaseUrl, async (client) => {
      await enterScope(client, harness.databaseUrl, { kind: 'partner', partnerId: 2 });
      expect((await client.query('SELECT * FROM logs.operation_logs')).rows).toEqual([]);
      expect((await client.query('SELECT * FROM logs.operation_logs_2026_11')).rows).toEqual([]);
      // Nor make or drop months, which the owner does for it.
      for (const call of [`make_month('2030-01-01')`, `drop_months('2030-01-01')`]) {
        await expect(client.query(`SELECT logs.${call}`)).rejects.toThrow('the business of the system');
      }
      await enterScope(client, harness.databaseUrl, { kind: 'partner', partnerId: 1 });
      // Calls of the tests above may be logged meanwhile as well.
      const seen = (await client.query('SELECT partner_id, operation FROM logs.operation_logs')).rows;
      expect(seen).toContainEqual({ partner_id: 1, operation: 'createGroup' });
      expect(seen.filter((row) => row.partner_id !== 1)).toEqual([]);
    });
  });
});

test('A file goes away after a day, and so does what is known of it', async () => {
  const id = await requestUsers();
  const [row] = await harness.sql<{ object_key: string }>('SELECT object_key FROM exports');
  const key = row?.object_key ?? '';
  await harness.storage.put(key, Readable.from([Buffer.from('name')]));
  await tell(id, 'completed');
  harness.clock.advance(24 * 3_600_000 + 1_000);
  await harness.runJobs();
  expect((await harness.refused(batchRoutes.getUsersCsv, of(id), boss)).status).toBe(404);
  expect(await harness.storage.head(key)).toBeUndefined();
});

test('The migrations make what the schema says', async () => {
  await assertNoDrift(fileURLToPath(new URL('../', import.meta.url)));
});
