import {
  applicationRoutes,
  fileEvents,
  fileRoutes,
  limits,
  type RouteRequest,
  tenantEvents,
} from '@portal/contracts';
import { adminActor, partnerActor, playerActor } from '@portal/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { admin, type FileHarness, firstUnknownPartner, someBytes, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
const platform = adminActor();
const ofUnit = (unitId: number) => adminActor({ adminId: 20 + unitId, role: 63, unitId });
type Actor = typeof platform;

const sales = { id: 3, name: 'Sales' };

beforeAll(async () => {
  harness = await startFileHarness();
  // Two tenants of unit 1, one of unit 2.
  await harness.partner(1, 1, { unitId: 1, name: 'Alpha' });
  await harness.partner(2, 0, { unitId: 1, name: 'Beta', filePublicFlag: false });
  await harness.partner(3, 0, { unitId: 2, name: 'Gamma' });
  await harness.group(sales.id, sales.name);
  await harness.user(12, [sales.id]);
  await harness.user(13, []);
  await harness.user(22, [], 2);
  await harness.user(32, [], 3);
  harness.forcing.add(1);
});
afterEach(async () => {
  for (const { id } of await list()) await remove(id);
});
afterAll(async () => harness.stop());

type Body = RouteRequest<typeof applicationRoutes.createApplication>['body'];
const bytes = someBytes('an application');
let names = 0;

const register = async (body: Partial<Body>, actor: Actor = platform) => {
  names += 1;
  return harness.call(
    applicationRoutes.createApplication,
    {
      body: {
        name: `App ${names}`,
        saleType: 1,
        fileName: `app${names}.uap`,
        fileSize: bytes.length,
        ...body,
      },
    },
    actor,
  );
};
const complete = async (uploadId: string, actor: Actor) =>
  harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: { parts: [] } }, actor);

async function publish(body: Partial<Body>, actor: Actor = platform): Promise<number> {
  const { body: opened, status } = await register(body, actor);
  if (status !== 201) throw new Error(JSON.stringify(opened));
  await harness.put(opened.signedUrl, bytes);
  const done = await complete(opened.uploadId, actor);
  if (done.status !== 200) throw new Error(JSON.stringify(done.body));
  return opened.id;
}
const change = async (
  id: number,
  body: RouteRequest<typeof applicationRoutes.updateApplication>['body'],
  actor: Actor = platform,
) => harness.call(applicationRoutes.updateApplication, { params: { id }, body }, actor);
const remove = async (id: number, actor: Actor = platform) =>
  harness.call(applicationRoutes.deleteApplication, { params: { id } }, actor);
const list = async (query: object = {}, actor: Actor = platform) =>
  (
    await harness.call(
      applicationRoutes.listApplications,
      { query: { perPage: 100, order: 'asc', ...query } },
      actor,
    )
  ).body.applications;
const check = async (partnerId: number, userId: number, since?: string) => {
  const query = { perPage: 100, ...(since === undefined ? {} : { since }) };
  return (
    await harness.call(fileRoutes.listDelivered, { query }, playerActor({ accountId: userId, partnerId }))
  ).body;
};
const got = async (partnerId: number, userId: number) => harness.delivered(userId, partnerId);
const filesOf = async (pid: number, query: object = {}) =>
  (
    await harness.call(
      fileRoutes.listFiles,
      { params: { pid }, query: { perPage: 100, ...query } },
      partnerActor({ partnerId: pid }),
    )
  ).body;
const listed = async (pid: number, query: object = {}) => {
  const { files } = await filesOf(pid, query);
  return files.map(({ id }) => id).sort((a, b) => a - b);
};
const assign = async (pid: number, id: number, groupIds: number[]) =>
  harness.call(
    fileRoutes.assignGroups,
    { params: { pid, id }, body: { groupIds } },
    partnerActor({ partnerId: pid }),
  );

/** The code and the fields of a refusal. */
const refusal = (reply: { status: number; body: unknown }) => {
  const { code, errors = [] } = Object(reply.body);
  return [reply.status, code, ...errors.map(({ field }: { field: string }) => field)];
};

describe('When the operator delivers an application to tenants', () => {
  it('then everyone in them has it at once, nobody else, whatever file_public_flag says', async () => {
    const before = await Promise.all([check(1, 13), check(2, 22), check(3, 32)]);
    const id = await publish({ partnerIds: [1, 2] });

    expect((await check(1, 13, before[0].cursor)).files.map((file) => file.id)).toEqual([id]);
    expect((await check(2, 22, before[1].cursor)).files.map((file) => file.id)).toEqual([id]);
    expect(await check(3, 32, before[2].cursor)).toMatchObject({ files: [], removedIds: [] });
    expect(await got(1, 12)).toContain(id);
    expect(await got(3, 32)).not.toContain(id);
    await remove(id);
  });

  it('then nobody sees it before its bytes are complete, in lists neither', async () => {
    const { body } = await register({ partnerIds: [1] });
    expect([await got(1, 12), await listed(1)]).toEqual([[], []]);
    expect(await list()).toMatchObject([
      { id: body.id, status: 'uploading', version: 0, upload: { uploadId: body.uploadId } },
    ]);

    await harness.put(body.signedUrl, bytes);
    expect(await got(1, 12)).toEqual([]);
    await complete(body.uploadId, platform);
    expect([await got(1, 12), await listed(1)]).toEqual([[body.id], [body.id]]);
    expect(await list()).toMatchObject([
      {
        id: body.id,
        status: 'published',
        version: 1,
        upload: null,
        fileSize: bytes.length,
        partners: [{ id: 1, name: 'Alpha' }],
      },
    ]);
    await remove(body.id);
  });

  it('then its bytes and icons come by addresses of the tenant, and are stored once', async () => {
    const id = await publish({ allDeliverFlag: true });
    const urls = await Promise.all(
      [
        [1, 12],
        [3, 32],
      ].map(async ([partnerId = 0, accountId = 0]) => {
        const actor = playerActor({ partnerId, accountId });
        const { body } = await harness.call(fileRoutes.getDelivered, { params: { id } }, actor);
        return body.signedUrl;
      }),
    );
    expect(new Set(urls.map((url) => new URL(url).pathname)).size).toBe(1);
    for (const url of urls) expect(await (await harness.get(url)).text()).toBe('an application');
    const { body } = await harness.call(fileRoutes.getFile, { params: { pid: 1, id } }, admin);
    expect(await (await harness.get(body.signedUrl ?? '')).text()).toBe('an application');

    await remove(id);
    for (const url of [...urls, body.signedUrl ?? '']) expect((await harness.get(url)).status).toBe(404);
  });

  it('then the file list of a tenant tells whose it is; it takes no place in the limit, and no name', async () => {
    const id = await publish({ name: 'Viewer', fileName: 'viewer.uap', partnerIds: [1] }, ofUnit(1));
    const { files } = await filesOf(1, { q: 'viewer' });
    expect(files).toMatchObject([
      {
        id,
        name: 'Viewer',
        application: true,
        saleType: 1,
        publisher: 'Unit 1',
        state: 'delivered',
        groups: [{ id: 0 }],
        uploadStatus: 'complete',
      },
    ]);
    // One `.uap` file is all that this tenant may have.
    const own = await harness.upload({ fileName: 'viewer.uap' });
    expect((await filesOf(1, { order: 'asc', orderKey: 'id' })).files).toMatchObject([
      { id, application: true },
      { id: own, application: false, saleType: null, publisher: null },
    ]);
    expect((await filesOf(1, { perPage: 1, page: 2, order: 'asc', orderKey: 'id' })).files).toMatchObject([
      { id: own },
    ]);
    const overview = await harness.call(
      fileRoutes.getFilesOverview,
      { params: { pid: 1 }, query: {} },
      admin,
    );
    expect(overview.body).toMatchObject({ deliveredWeek: 1 });
    await harness.call(fileRoutes.deleteFile, { params: { pid: 1, id: own } }, admin);
    await remove(id);
  });

  it('then tenants that come later have it too, where it goes to all that the publisher reaches', async () => {
    const everywhere = await publish({ allDeliverFlag: true });
    const inUnit = await publish({ allDeliverFlag: true }, ofUnit(1));
    expect(await got(1, 12)).toEqual([everywhere, inUnit]);
    expect(await got(3, 32)).toEqual([everywhere]);

    await harness.partner(41, 0, { unitId: 1, name: 'Later' });
    await harness.user(412, [], 41);
    expect(await got(41, 412)).toEqual([everywhere, inUnit]);
    expect(await listed(41)).toEqual([everywhere, inUnit]);
    await remove(everywhere);
    await remove(inUnit);
  });

  it('then a tenant that moves leaves what its old unit publishes, and players that were offline are told', async () => {
    await harness.partner(42, 0, { unitId: 1, name: 'Mover', revision: 1 });
    await harness.user(422, [], 42);
    const ofOld = await publish({ allDeliverFlag: true }, ofUnit(1));
    const named = await publish({ partnerIds: [42] }, ofUnit(1));
    harness.forcing.add(2);
    const ofNew = await publish({ allDeliverFlag: true }, ofUnit(2));
    const first = await check(42, 422);
    expect(first.files.map(({ id }) => id)).toEqual([ofOld, named]);

    const moved = async (unitId: number, revision: number) =>
      harness.deliver(tenantEvents.partnerUpdated, {
        subject: 42,
        partnerId: 42,
        data: {
          ...tenantEvents.partnerCreated.example,
          filePublicFlag: true,
          partnerId: 42,
          name: 'Mover',
          unitId,
          revision,
        },
      });
    await moved(3, 2);
    const between = await check(42, 422, first.cursor);
    expect(between).toMatchObject({ files: [], removedIds: [ofOld, named] });
    await moved(2, 3);
    for (const since of [first.cursor, between.cursor]) {
      expect((await check(42, 422, since)).files.map(({ id }) => id)).toEqual([ofNew]);
    }
    expect((await check(42, 422, first.cursor)).removedIds).toEqual([ofOld, named]);
    expect((await list({}, ofUnit(1))).find(({ id }) => id === named)).toMatchObject({
      partners: [],
      partnerCount: 0,
    });
    expect(await list({ partnerName: 'mover' })).toEqual([]);
    for (const id of [ofOld, named, ofNew]) await remove(id);
  });

  it('then a new version is for everybody, under the same id', async () => {
    const id = await publish({ fileName: 'versions.uap', partnerIds: [1] });
    const { cursor } = await check(1, 12);
    const next = someBytes('the second version');
    const { body, status } = await change(id, { fileName: 'versions.uap', fileSize: next.length });
    if (status !== 200 || !('uploadId' in body)) throw new Error(JSON.stringify(body));
    expect((await check(1, 12, cursor)).files).toMatchObject([{ id, version: 1 }]);
    await harness.put(body.signedUrl, next);
    await complete(body.uploadId, platform);
    expect((await check(1, 12, cursor)).files).toMatchObject([{ id, version: 2, fileSize: next.length }]);
    expect((await harness.events('application.published')).at(-1)).toMatchObject({
      partnerid: null,
      data: { applicationId: id, version: 2, partnerIds: [1], allDeliverFlag: false, fileSize: next.length },
    });
    await remove(id);
  });

  it('then those that it goes to no more remove it, and a deleted one everybody; each is told once', async () => {
    const id = await publish({ partnerIds: [1, 2] });
    const [one, two] = await Promise.all([check(1, 12), check(2, 22)]);
    expect((await change(id, { partnerIds: [2], name: 'Renamed' })).status).toBe(200);
    const gone = await check(1, 12, one.cursor);
    expect(gone).toMatchObject({ files: [], removedIds: [id] });
    expect(await check(1, 12, gone.cursor)).toMatchObject({ files: [], removedIds: [] });
    expect((await check(2, 22, two.cursor)).files).toMatchObject([{ id, name: 'Renamed' }]);
    expect((await harness.call(fileRoutes.getFile, { params: { pid: 1, id } }, admin)).status).toBe(404);
    expect((await harness.events('application.withdrawn')).at(-1)?.data).toEqual({
      applicationId: id,
      fromAll: false,
      partnerIds: [1],
    });

    const { cursor } = await check(2, 22);
    await remove(id);
    expect(await check(2, 22, cursor)).toMatchObject({ files: [], removedIds: [id] });
    expect((await check(1, 12, one.cursor)).removedIds).toEqual([id]);
    expect((await harness.events('application.deleted')).at(-1)?.data).toEqual({ applicationId: id });
    const removals = await harness.sql<{ days: number }>(
      `SELECT extract(epoch FROM max(due_at) - '${harness.clock.now().toISOString()}')::integer / 86400 AS days FROM removals WHERE partner_id = 0`,
    );
    expect(removals[0]?.days).toBe(limits.deletedBytesRetention / 86_400_000);
  });

  it('then a user page names everyone as the reason', async () => {
    const id = await publish({ partnerIds: [1] });
    const { body } = await harness.call(
      fileRoutes.listUserFiles,
      { params: { pid: 1, id: 13 }, query: {} },
      admin,
    );
    expect(body.files).toMatchObject([{ id, groups: [{ id: 0 }] }]);
    await remove(id);
  });
});

describe('When the operator offers an application for sale', () => {
  it('then it is among the files of its tenants, nobody has it, and the tenant assigns it to its groups', async () => {
    const id = await publish({ saleType: 2, partnerIds: [1, 2] });
    const { cursor } = await check(1, 12);
    expect((await filesOf(1)).files).toMatchObject([
      { id, application: true, saleType: 2, state: 'nobody', groups: [] },
    ]);
    expect([await got(1, 12), await got(2, 22)]).toEqual([[], []]);

    expect((await assign(1, id, [sales.id])).status).toBe(200);
    expect((await check(1, 12, cursor)).files.map((file) => file.id)).toEqual([id]);
    expect([await got(1, 13), await got(2, 22)]).toEqual([[], []]);
    expect((await filesOf(1)).files).toMatchObject([{ id, state: 'delivered', groups: [sales] }]);
    expect((await filesOf(2)).files).toMatchObject([{ id, state: 'nobody', groups: [] }]);
    expect(await listed(1, { group: sales.id })).toEqual([id]);
    expect((await harness.events('file.assigned')).at(-1)).toMatchObject({
      partnerid: 1,
      data: { fileId: id, groupIds: [sales.id] },
    });
    // Everyone is a group of the tenant, and the contract may forbid it.
    expect(refusal(await assign(2, id, [0]))).toEqual([403, 'E40304', 'group_ids']);
    await remove(id);
  });

  it('then withdrawn, it is removed, its groups are free again, and made anew it begins anew', async () => {
    const id = await publish({ saleType: 2, partnerIds: [1, 2] });
    await assign(1, id, [sales.id]);
    const { cursor } = await check(1, 12);
    await change(id, { partnerIds: [2] });
    expect(await check(1, 12, cursor)).toMatchObject({ files: [], removedIds: [id] });
    await harness.runJobs();
    expect((await harness.events('file.assigned')).at(-1)).toMatchObject({
      partnerid: 1,
      data: { fileId: id, groupIds: [], removedGroupIds: [sales.id] },
    });
    await change(id, { partnerIds: [1, 2] });
    expect([await got(1, 12), await listed(1)]).toEqual([[], [id]]);
    await remove(id);
  });
});

describe('What a tenant may not do with an application', () => {
  it('is its name, bytes, times and deletion, and the groups of one that everyone gets', async () => {
    const [delivered, offered] = [
      await publish({ partnerIds: [1] }),
      await publish({ saleType: 2, partnerIds: [1] }),
    ];
    for (const id of [delivered, offered]) {
      const params = { pid: 1, id };
      const attempts = [
        harness.call(fileRoutes.updateFile, { params, body: { name: 'Mine' } }, admin),
        harness.call(fileRoutes.updateFile, { params, body: { fileName: 'x.uap', fileSize: 3 } }, admin),
        harness.call(fileRoutes.deleteFile, { params }, admin),
        harness.call(
          fileRoutes.reserveUpdate,
          { params, body: { updateReservationAt: '2036-01-01T00:00:00Z', fileName: 'x.uap', fileSize: 3 } },
          admin,
        ),
        harness.call(fileRoutes.cancelUpdate, { params }, admin),
      ];
      for (const attempt of attempts) expect(refusal(await attempt)).toEqual([403, 'E40301']);
    }
    expect(refusal(await assign(1, delivered, [sales.id]))).toEqual([403, 'E40301']);
    // To others it does not exist.
    const elsewhere = { params: { pid: 3, id: delivered } };
    const stranger = partnerActor({ partnerId: 3 });
    expect(refusal(await harness.call(fileRoutes.deleteFile, elsewhere, stranger))).toEqual([404, 'E40405']);
    expect(refusal(await harness.call(fileRoutes.getFile, elsewhere, stranger))).toEqual([404, 'E40405']);
    expect(refusal(await assign(3, offered, [0]))).toEqual([404, 'E40405']);
    const player = playerActor({ partnerId: 3, accountId: 32 });
    const asked = await harness.call(fileRoutes.getDelivered, { params: { id: delivered } }, player);
    expect(refusal(asked)).toEqual([404, 'E40405']);
    await remove(delivered);
    await remove(offered);
  });
});

describe('An application is refused', () => {
  const both = { allDeliverFlag: true, partnerIds: [1] };
  it.each([
    ['both destinations', both, [400, 'E40002', 'partner_ids']],
    ['none', {}, [400, 'E40002', 'partner_ids']],
    ['no partner at all', { partnerIds: [] }, [400, 'E40002', 'partner_ids']],
    ['not all, and none named', { allDeliverFlag: false }, [400, 'E40002', 'partner_ids']],
    ['an unknown partner', { partnerIds: [1, firstUnknownPartner] }, [404, 'E40402', 'partner_ids']],
    ['partner 0', { partnerIds: [0] }, [404, 'E40402', 'partner_ids']],
    ['what is no package', { partnerIds: [1], fileName: 'app.zip' }, [400, 'E40002', 'file']],
    ['nothing in it', { partnerIds: [1], fileSize: 0 }, [400, 'E40002', 'file']],
    ['more than 2 GiB', { partnerIds: [1], fileSize: limits.maxFileSize + 1 }, [400, 'E40002', 'file']],
    ['no name', { partnerIds: [1], name: ' ' }, [400, 'E40003', 'name']],
    ['a long name', { partnerIds: [1], name: 'x'.repeat(256) }, [400, 'E40002', 'name']],
  ] as const)('with %s', async (_, body, expected) => {
    const { partnerIds, ...rest } = { partnerIds: undefined, ...body };
    const reply = await register({ ...rest, ...(partnerIds && { partnerIds: [...partnerIds] }) });
    expect(refusal(reply)).toEqual(expected);
    expect(await list()).toEqual([]);
  });

  it('without a sale type, or with another than these', async () => {
    const raw = async (saleType: object) =>
      harness.call(
        applicationRoutes.createApplication,
        // As a client without types would send it.
        { body: { name: 'x', fileName: 'x.uap', fileSize: 1, allDeliverFlag: true, ...saleType } as Body },
        platform,
      );
    expect(refusal(await raw({}))).toEqual([400, 'E40003', 'sale_type']);
    expect(refusal(await raw({ saleType: 3 }))).toEqual([400, 'E40002', 'sale_type']);
  });

  it('of who has not the right, is of a tenant, or of a unit that may not', async () => {
    const reader = adminActor({ adminId: 9, role: 1 });
    expect(refusal(await register({ partnerIds: [1] }, reader))).toEqual([403, 'E40301']);
    expect(refusal(await register({ partnerIds: [1] }, admin))).toEqual([401, 'E40102']);
    // Unit 5 may not deliver by itself, but offer.
    await harness.partner(5, 0, { unitId: 5, name: 'Epsilon' });
    expect(refusal(await register({ partnerIds: [5] }, ofUnit(5)))).toEqual([403, 'E40301']);
    const offer = await publish({ saleType: 2, partnerIds: [5] }, ofUnit(5));
    expect(refusal(await register({ partnerIds: [5, 1], saleType: 2 }, ofUnit(5)))).toEqual([
      403,
      'E40305',
      'partner_ids',
    ]);
    expect(refusal(await change(offer, { partnerIds: [1] }, ofUnit(5)))).toEqual([
      403,
      'E40305',
      'partner_ids',
    ]);
    expect(refusal(await change(offer, { partnerIds: [firstUnknownPartner] }, ofUnit(5)))).toEqual([
      404,
      'E40402',
      'partner_ids',
    ]);
    await remove(offer, ofUnit(5));
    // What it was allowed once it may not change any more, but take back.
    const forced = await publish({ partnerIds: [1] }, ofUnit(1));
    harness.forcing.delete(1);
    expect(refusal(await change(forced, { name: 'New' }, ofUnit(1)))).toEqual([403, 'E40301']);
    expect((await remove(forced, ofUnit(1))).status).toBe(200);
    harness.forcing.add(1);
  });

  it("to a tenant of another unit than the application's, by the platform too", async () => {
    const id = await publish({ partnerIds: [1] }, ofUnit(1));
    expect(refusal(await change(id, { partnerIds: [1, 3] }))).toEqual([403, 'E40305', 'partner_ids']);
    expect(await list()).toMatchObject([{ id, partners: [{ id: 1 }] }]);
    expect((await change(id, { partnerIds: [1, 2] })).status).toBe(200);
    expect([await got(1, 12), await got(2, 22)]).toEqual([[id], [id]]);
    await remove(id);
  });

  it('when it changes to another sale type, file name or destination that cannot be', async () => {
    const id = await publish({ fileName: 'fixed.uap', partnerIds: [1] });
    expect(refusal(await change(id, { saleType: 2 }))).toEqual([400, 'E40002', 'sale_type']);
    expect((await change(id, { saleType: 1, name: 'Same type' })).status).toBe(200);
    expect(refusal(await change(id, { fileName: 'other.uap', fileSize: 3 }))).toEqual([
      400,
      'E40002',
      'file',
    ]);
    expect(refusal(await change(id, { fileName: 'fixed.uap' }))).toEqual([400, 'E40003', 'file_size']);
    expect(refusal(await change(id, { ...both }))).toEqual([400, 'E40002', 'partner_ids']);
    expect(refusal(await change(id, { partnerIds: [] }))).toEqual([400, 'E40002', 'partner_ids']);
    expect(refusal(await change(id, { partnerIds: null }))).toEqual([400, 'E40002', 'partner_ids']);
    expect(refusal(await change(id, { partnerIds: [firstUnknownPartner] }))).toEqual([
      404,
      'E40402',
      'partner_ids',
    ]);
    expect((await change(id, { allDeliverFlag: false })).status).toBe(200);
    expect((await change(id, { allDeliverFlag: true })).status).toBe(200);
    expect(refusal(await change(id, { allDeliverFlag: false }))).toEqual([400, 'E40002', 'partner_ids']);
    await remove(id);
    for (const reply of [await change(id, { name: 'x' }), await remove(id)])
      expect(refusal(reply)).toEqual([404, 'E40405']);
    const asked = await harness.call(applicationRoutes.getApplication, { params: { id } }, platform);
    expect(refusal(asked)).toEqual([404, 'E40405']);
  });

  it('to another unit, whose administrators see their own alone; files of tenants are none', async () => {
    const file = await harness.upload({ fileName: 'own.ufpz' });
    const [ofPlatform, ofOne] = [
      await publish({ allDeliverFlag: true }),
      await publish({ partnerIds: [1] }, ofUnit(1)),
    ];
    expect((await list({}, ofUnit(1))).map(({ id }) => id)).toEqual([ofOne]);
    expect(await list({}, ofUnit(2))).toEqual([]);
    for (const id of [ofPlatform, file]) {
      const asked = await harness.call(applicationRoutes.getApplication, { params: { id } }, ofUnit(1));
      expect(refusal(asked)).toEqual([404, 'E40405']);
      expect(refusal(await change(id, { name: 'x' }, ofUnit(1)))).toEqual([404, 'E40405']);
      expect(refusal(await remove(id, ofUnit(1)))).toEqual([404, 'E40405']);
    }
    expect(refusal(await remove(file))).toEqual([404, 'E40405']);
    expect((await list()).map(({ id }) => id)).toEqual([ofPlatform, ofOne]);
    for (const id of [ofPlatform, ofOne]) await remove(id);
    await harness.call(fileRoutes.deleteFile, { params: { pid: 1, id: file } }, admin);
  });
});

describe('The upload of an application', () => {
  it('goes in parts, is known again, and is for those who may open it alone', async () => {
    const { body } = await register({ partnerIds: [1], fingerprint: 'ab'.repeat(32) }, ofUnit(1));
    const params = { uploadId: body.uploadId };
    for (const actor of [admin, ofUnit(2)]) {
      const calls = [
        harness.call(fileRoutes.getUpload, { params }, actor),
        harness.call(fileRoutes.signParts, { params, body: { partNumbers: [1] } }, actor),
        harness.call(fileRoutes.completeUpload, { params, body: { parts: [] } }, actor),
        harness.call(fileRoutes.abortUpload, { params }, actor),
      ];
      for (const call of calls) expect(refusal(await call)).toEqual([404, 'E40401']);
    }
    // Another administrator of the unit, and of the platform, can go on with it.
    const other = adminActor({ adminId: 77, role: 3, unitId: 1 });
    const signed = await harness.call(fileRoutes.signParts, { params, body: { partNumbers: [1] } }, other);
    const sent = await harness.put(signed.body.parts[0]?.signedUrl ?? '', bytes);
    const etag = sent.headers.get('etag') ?? '';
    expect((await harness.call(fileRoutes.getUpload, { params }, platform)).body).toMatchObject({
      status: 'uploading',
      parts: [{ partNumber: 1, size: bytes.length }],
    });
    const parts = [{ partNumber: 1, etag }];
    expect((await harness.call(fileRoutes.completeUpload, { params, body: { parts } }, other)).status).toBe(
      200,
    );
    expect(await got(1, 12)).toEqual([body.id]);
    await remove(body.id);
  });

  it('that is aborted takes an application along that never was complete, without a word to tenants', async () => {
    const { body } = await register({ partnerIds: [1] });
    const known = (await harness.events()).length;
    const aborted = await harness.call(
      fileRoutes.abortUpload,
      { params: { uploadId: body.uploadId } },
      platform,
    );
    expect(aborted.status).toBe(200);
    expect(await list()).toEqual([]);
    const told = (await harness.events()).slice(known).filter(({ type }) => !type.startsWith('operation.'));
    expect(told).toEqual([]);
  });

  const failed = async (uploadId: string) =>
    (await harness.events(fileEvents.uploadFailed.type))
      .map(({ data, partnerid }) => ({ partnerid, ...fileEvents.uploadFailed.data.parse(data) }))
      .filter((event) => event.uploadId === uploadId);

  it('that lies for a day ends by itself, which who began it is told', async () => {
    const { body } = await register({ partnerIds: [1] }, ofUnit(1));
    harness.clock.advance(limits.uploadLifetime + 1000);
    await harness.runJobs();
    await vi.waitFor(async () => expect(await list()).toEqual([]));
    const { id: fileId, uploadId } = body;
    expect(await failed(uploadId)).toMatchObject([
      {
        partnerid: null,
        fileId,
        fileDeleted: true,
        openedBy: ofUnit(1).id,
        publisher: { unitId: 1 },
        reason: 'expired',
      },
    ]);
  });

  it('that another administrator gives up is told to who began it', async () => {
    const { body } = await register({ partnerIds: [1] }, ofUnit(1));
    const { id: fileId, uploadId } = body;
    await harness.call(fileRoutes.abortUpload, { params: { uploadId } }, platform);
    expect(await failed(uploadId)).toMatchObject([
      { partnerid: null, fileId, openedBy: ofUnit(1).id, reason: 'given_up' },
    ]);
  });
});

describe('The list of applications', () => {
  it('has every filter and order', async () => {
    const first = await publish({ name: 'Zebra', partnerIds: [1, 2] });
    harness.clock.advance(60_000);
    const later = harness.clock.now();
    const second = await publish({ name: 'antelope', saleType: 2, allDeliverFlag: true });
    const third = await publish({ name: 'Buffalo', partnerIds: [1] }, ofUnit(1));
    const ids = async (query: object) => (await list(query)).map(({ id }) => id);
    const at = `${later.toISOString().slice(0, 19)}Z`;

    expect(await ids({ name: 'ZEB' })).toEqual([first]);
    expect(await ids({ partnerName: 'beta' })).toEqual([first]);
    expect(await ids({ partnerName: 'alpha' })).toEqual([first, third]);
    expect(await ids({ saleType: 2 })).toEqual([second]);
    expect(await ids({ allDeliverFlag: true })).toEqual([second]);
    expect(await ids({ allDeliverFlag: false })).toEqual([first, third]);
    expect(await ids({ unitId: 1 })).toEqual([third]);
    expect(await ids({ createdAtStart: at })).toEqual([second, third]);
    expect(await ids({ createdAtEnd: '2026-11-22T00:00:00Z' })).toEqual([]);
    expect(await ids({ updatedAtStart: at })).toEqual([second, third]);
    expect(await ids({ orderKey: 'name', order: 'asc' })).toEqual([third, first, second]);
    expect(await ids({ orderKey: 'createdAt', order: 'desc' })).toEqual([third, second, first]);
    await change(first, { name: 'Zebra 2' });
    harness.clock.advance(60_000);
    await change(first, { name: 'Zebra 3' });
    expect(await ids({ orderKey: 'updatedAt', order: 'desc' })).toEqual([first, third, second]);
    const wrong = await harness.call(
      applicationRoutes.listApplications,
      { query: { orderKey: 'sale' as 'id' } },
      platform,
    );
    expect(refusal(wrong)).toEqual([400, 'E40002', 'order_key']);
    for (const id of [first, second, third]) await remove(id);
  });

  it('has as many open uploads of each unit, and of the platform, as a company may have', async () => {
    const opened: number[] = [];
    const open = async (actor: Actor, partnerId = 1) => {
      const { body, status } = await register({ saleType: 2, partnerIds: [partnerId] }, actor);
      if (status === 201) opened.push(body.id);
      return [status, Object(body).code];
    };
    for (let n = 0; n < limits.maxOpenUploads; n += 1)
      expect(await open(ofUnit(1))).toEqual([201, undefined]);
    expect(await open(ofUnit(1))).toEqual([400, 'E40019']);
    expect(await open(ofUnit(2), 3)).toEqual([201, undefined]);
    expect(await open(platform)).toEqual([201, undefined]);
    for (const id of opened) await remove(id);
  });

  it('has one box for id, name and file name: what begins with the text comes first, on every page', async () => {
    const inside = await publish({ name: 'A tour', fileName: 'one.uap', allDeliverFlag: true });
    const byFile = await publish({ name: 'Zoo', fileName: 'Tour-2.uap', allDeliverFlag: true });
    const byName = await publish({ name: 'Tour guide', fileName: 'three.uap', allDeliverFlag: true });
    const ofOther = await publish(
      { name: 'Tour', fileName: 'four.uap', saleType: 2, partnerIds: [3] },
      ofUnit(2),
    );
    const other = await publish(
      { name: 'A % of all', fileName: 'five.uap', allDeliverFlag: true },
      ofUnit(1),
    );
    const ids = async (query: object, actor?: Actor) => (await list(query, actor)).map(({ id }) => id);

    expect(await ids({ q: 'tour', orderKey: 'name' })).toEqual([ofOther, byName, byFile, inside]);
    expect(await ids({ q: 'tOUR', orderKey: 'name', order: 'desc' })).toEqual([
      byFile,
      byName,
      ofOther,
      inside,
    ]);
    const pages = [1, 2, 3, 4].map(async (page) => ids({ q: 'tour', orderKey: 'name', page, perPage: 1 }));
    expect((await Promise.all(pages)).flat()).toEqual([ofOther, byName, byFile, inside]);
    expect(await ids({ q: '-2.U' })).toEqual([byFile]);
    expect(await ids({ q: '%' })).toEqual([other]);
    expect((await ids({ q: String(inside) }))[0]).toBe(inside);
    expect(await ids({ q: `${inside}0000` })).toEqual([]);
    expect(await ids({ q: '' })).toHaveLength(5);
    expect(await ids({ q: 'tour', unitId: 2 })).toEqual([ofOther]);
    expect(await ids({ q: 'tour', name: 'guide' })).toEqual([byName]);
    // Of another unit none answers, by its id neither.
    for (const q of ['tour', String(ofOther), String(inside)])
      expect(await ids({ q }, ofUnit(1))).toEqual([]);
    expect(await ids({ q: String(other) }, ofUnit(1))).toEqual([other]);
    for (const id of [inside, byFile, byName, ofOther, other]) await remove(id);
  });
});

describe('When a destination tenant is deleted', () => {
  it('then nothing of it is left', async () => {
    await harness.partner(43, 0, { unitId: 1, name: 'Leaving', revision: 1 });
    const id = await publish({ saleType: 2, partnerIds: [1, 43] });
    await assign(43, id, [0]);
    const example = tenantEvents.partnerCreated.example;
    await harness.deliver(tenantEvents.partnerUpdated, {
      subject: 43,
      partnerId: 43,
      data: { ...example, filePublicFlag: true, partnerId: 43, unitId: 2, revision: 2 },
    });
    const rows = async () =>
      harness.sql(
        `SELECT 1 FROM destinations WHERE partner_id = 43 UNION ALL SELECT 1 FROM assignments WHERE partner_id = 43
         UNION ALL SELECT 1 FROM former_units WHERE partner_id = 43`,
      );
    expect((await rows()).length).toBe(3);
    await harness.deliver(tenantEvents.partnerDeleted, {
      subject: 43,
      partnerId: 43,
      data: { partnerId: 43 },
    });
    await vi.waitFor(async () => expect(await rows()).toEqual([]), { timeout: 10_000 });
    expect(await list()).toMatchObject([{ id, partners: [{ id: 1 }], partnerCount: 1 }]);
    await remove(id);
  });
});

describe('When a tenant signs up for an application', () => {
  const signUp = async (partnerId: number, applicationId: number | null) => {
    await harness.partner(partnerId, 0, { unitId: 1, name: `Newcomer ${partnerId}` });
    await harness.user(partnerId * 10, [], partnerId);
    const data = { partnerId, unitId: 1, contractRank: 'trial' as const, applicationId };
    await harness.deliver(tenantEvents.partnerSignedUp, { subject: partnerId, partnerId, data });
  };

  it('then it becomes a destination: of a delivery it has the file, of an offer it has the choice', async () => {
    const delivered = await publish({ partnerIds: [1] });
    const offered = await publish({ saleType: 2, partnerIds: [1] }, ofUnit(1));
    const forAll = await publish({ allDeliverFlag: true });
    await signUp(51, delivered);
    expect([await got(51, 510), await listed(51)]).toEqual([
      [delivered, forAll],
      [delivered, forAll],
    ]);
    await signUp(52, offered);
    expect([await got(52, 520), await listed(52)]).toEqual([[forAll], [offered, forAll]]);
    await signUp(53, forAll);
    expect([await got(53, 530), await listed(53)]).toEqual([[forAll], [forAll]]);
    expect((await list()).map(({ partnerCount }) => partnerCount)).toEqual([2, 2, 0]);
  });

  it('then without one, or with one that was deleted meanwhile, it has nothing', async () => {
    const gone = await publish({ partnerIds: [1] });
    await remove(gone);
    await signUp(54, gone);
    await signUp(55, null);
    expect([await listed(54), await listed(55)]).toEqual([[], []]);
  });
});

describe('When a unit gets another name', () => {
  it('then tenants are told the new one', async () => {
    const id = await publish({ saleType: 2, partnerIds: [1] }, ofUnit(1));
    const data = { ...tenantEvents.unitCreated.example, unitId: 1, name: 'Renamed unit', revision: 2 };
    await harness.deliver(tenantEvents.unitUpdated, { subject: 1, partnerId: null, data });
    expect((await filesOf(1)).files).toMatchObject([{ id, publisher: 'Renamed unit' }]);
  });
});
