import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileRoutes, limits, tenantEvents, userEvents } from '@portal/contracts';
import { partnerActor, playerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { admin, developer, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

let harness: FileHarness;
const pid = 1;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.partner(2);
  await harness.partner(3, 1);
  await harness.group(3, 'Sales');
  await harness.group(4, 'Field');
  await harness.group(9, 'Foreign', 2);
  await harness.user(12, [3]);
  await harness.user(13, [4]);
});
afterAll(async () => harness.stop());

const register = (body: Record<string, unknown>, actor = admin) =>
  harness.raw({
    method: 'POST',
    url: `/v1/partner/partners/${actor.kind === 'tenant' ? actor.partnerId : 0}/files`,
    payload: JSON.stringify(body),
    actor,
  });

const registered = async (fileName: string) =>
  (
    await harness.call(
      fileRoutes.createFile,
      { params: { pid }, body: { name: fileName, fileName, fileSize: 3 } },
      admin,
    )
  ).body;

describe('When a file is registered', () => {
  it('then its upload is open, and the events tell of it', async () => {
    const created = await harness.call(
      fileRoutes.createFile,
      { params: { pid }, body: { name: 'Tour', fileName: 'Tour.uap', fileSize: 7, note: 'n' } },
      developer,
    );
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ partnerFileId: created.body.id, partSize: 8_388_608 });
    const { body: file } = await harness.call(
      fileRoutes.getFile,
      { params: { pid, id: created.body.id } },
      admin,
    );
    expect(file).toMatchObject({
      name: 'Tour',
      note: 'n',
      fileName: 'Tour.uap',
      fileSize: 7,
      version: 0,
      sha256: null,
      uploadStatus: 'uploading',
      signedUrl: null,
      groups: [],
    });
    const events = await harness.events('upload.started');
    expect(events.at(-1)?.data).toEqual({
      fileId: created.body.id,
      uploadId: created.body.uploadId,
      fileName: 'Tour.uap',
      fileSize: 7,
    });
  });

  it.each([
    ['another extension', { file_name: 'tour.zip', file_size: 1 }, 'Specify a .uap or .ufpz file.'],
    ['no extension', { file_name: 'uap', file_size: 1 }, 'Specify a .uap or .ufpz file.'],
    ['no bytes', { file_name: 'a.uap', file_size: 0 }, 'The file is empty.'],
    ['too many bytes', { file_name: 'a.uap', file_size: limits.maxFileSize + 1 }, /exceeds the maximum/],
  ])('then %s is refused on the file', async (_, fields, message) => {
    const refused = await register({ name: 'x', ...fields });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      code: 'E40002',
      errors: [{ field: 'file', message: expect.stringMatching(message) }],
    });
  });

  it.each([['a/b.uap'], ['a\\b.uap'], ['a\u0000.uap'], [`${'あ'.repeat(90)}.uap`], ['..'], [7]])(
    'then the name %j is refused',
    async (fileName) => {
      const refused = await register({ name: 'x', file_name: fileName, file_size: 1 });
      expect(refused.body).toMatchObject({ code: 'E40002', errors: [{ field: 'file_name' }] });
    },
  );

  it('then a name that is taken is refused, ignoring case, also when both come at once', async () => {
    await harness.upload({ fileName: 'Taken.uap' });
    const refused = await register({ name: 'x', file_name: 'tAKEN.UAP', file_size: 1 });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'E40026', errors: [{ field: 'file_name' }] });

    const race = await Promise.all(
      ['race.uap', 'RACE.uap', 'Race.uap', 'race.UAP'].map((file_name) =>
        register({ name: 'x', file_name, file_size: 1 }),
      ),
    );
    expect(race.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect((await register({ name: 'x', file_name: 'taken.uap', file_size: 1 }, stranger)).status).toBe(201);
  });

  it('then the last place in the limit is taken once, and freed by a deletion', async () => {
    const other = partnerActor({ partnerId: 3, accountId: 5 });
    const race = await Promise.all(
      ['a.uap', 'b.uap', 'c.uap'].map((file_name) => register({ name: 'x', file_name, file_size: 1 }, other)),
    );
    expect(race.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(race.find(({ status }) => status === 400)?.body.code).toBe('E40018');
    expect((await register({ name: 'x', file_name: 'free.ufpz', file_size: 1 }, other)).status).toBe(201);
    const [uap] = await harness.sql<{ id: number }>('SELECT id FROM files WHERE partner_id = 3 AND is_uap');
    const deleted = await harness.call(
      fileRoutes.deleteFile,
      { params: { pid: 3, id: uap?.id ?? 0 } },
      other,
    );
    expect(deleted.status).toBe(200);
    expect((await register({ name: 'x', file_name: 'd.uap', file_size: 1 }, other)).status).toBe(201);
  });

  it('then any time of delivery will do', async () => {
    const created = await register({
      name: 'past',
      file_name: 'past.uap',
      file_size: 1,
      deliver_reservation_at: '2001-01-01T00:00:00Z',
    });
    expect(created.status).toBe(201);
  });
});

describe('When the bytes have come with one PUT', () => {
  it('then the hash is known, players of its groups get identical bytes, and nobody else', async () => {
    const bytes = someBytes('the bytes of a package');
    const id = await harness.upload({ fileName: 'whole.uap', bytes });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { body: file } = await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin);
    expect(file).toMatchObject({ uploadStatus: 'complete', sha256, version: 1, fileSize: bytes.length });
    expect((await harness.events('file.uploaded')).at(-1)?.data).toMatchObject({
      fileId: id,
      version: 1,
      sha256,
    });

    await harness.assign(id, [3], { notifyEmail: true });
    expect(await harness.delivered(12)).toContain(id);
    expect(await harness.delivered(13)).not.toContain(id);
    const got = await harness.call(
      fileRoutes.getDelivered,
      { params: { id } },
      playerActor({ accountId: 12 }),
    );
    const reply = await harness.get(got.body.signedUrl);
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(Buffer.from(bytes));
    expect(reply.headers.get('content-disposition')).toContain('whole.uap');
    const part = await harness.get(got.body.signedUrl, { range: 'bytes=4-8' });
    expect([part.status, await part.text()]).toEqual([206, 'bytes']);
    const foreign = await harness.refused(
      fileRoutes.getDelivered,
      { params: { id } },
      playerActor({ accountId: 13 }),
    );
    expect([foreign.status, foreign.body.code]).toEqual([404, 'E40405']);

    expect((await harness.events('file.assigned')).at(-1)?.data).toEqual({
      fileId: id,
      groupIds: [3],
      addedGroupIds: [3],
      removedGroupIds: [],
      notifyEmail: true,
      notifyPush: false,
      assignmentId: expect.any(String),
    });
    const delivered = (await harness.events('file.delivered')).filter(
      ({ subject }) => subject === String(id),
    );
    expect(delivered.map(({ data }) => data)).toEqual([
      { fileId: id, name: file.name, groupIds: [3], notifyEmail: true, notifyPush: false },
    ]);
  });

  it('then its groups are told by push where somebody has a certificate to send with, or it is not assigned', async () => {
    const id = await harness.upload({ fileName: 'pushed.uap' });
    await harness.group(3, 'Sales');
    const assign = async (fileId: number) => {
      const body = { groupIds: [3], notifyPush: true };
      return harness.refused(fileRoutes.assignGroups, { params: { pid, id: fileId }, body }, admin);
    };
    const holds = harness.holds.length;
    const refused = await assign(id);
    expect([refused.status, refused.body.code, refused.body.errors.map(({ field }) => field)]).toEqual([
      400,
      'E40030',
      ['notify_push'],
    ]);
    // Without the notice nothing is in the way.
    expect((await assign(id + 1_000)).body.code).toBe('E40405');
    expect(harness.holds).toHaveLength(holds);
    expect((await harness.events('file.assigned')).filter(({ subject }) => subject === String(id))).toEqual(
      [],
    );

    harness.withCertificate.add(pid);
    expect((await assign(id)).status).toBe(200);
    const delivered = (await harness.events('file.delivered')).filter(
      ({ subject }) => subject === String(id),
    );
    expect(delivered.map(({ data }) => data)).toMatchObject([
      { groupIds: [3], notifyEmail: false, notifyPush: true },
    ]);
    harness.withCertificate.delete(pid);
    await harness.assign(id, [3]);
  });

  it('then a contract without push notifications has none of files either', async () => {
    const entry = partnerActor({ partnerId: 77 });
    await harness.partner(77, 0, { contractRank: 'entry' });
    harness.withCertificate.add(77);
    const id = await harness.upload({ fileName: 'entry.uap' }, entry);
    const body = { groupIds: [], notifyPush: true };
    const refused = await harness.refused(fileRoutes.assignGroups, { params: { pid: 77, id }, body }, entry);
    expect([refused.status, refused.body.code, refused.body.errors.map(({ field }) => field)]).toEqual([
      403,
      'E40304',
      ['notify_push'],
    ]);
  });

  it('then its URL takes no more, and what comes past the product changes nothing', async () => {
    const created = await harness.call(
      fileRoutes.createFile,
      { params: { pid }, body: { name: 'kept', fileName: 'kept.uap', fileSize: 4 } },
      admin,
    );
    const { id, signedUrl, uploadId } = created.body;
    await harness.put(signedUrl, someBytes('good'));
    await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
    const late = await harness.put(signedUrl, someBytes('evil'));
    expect([late.status, await late.json()]).toEqual([404, expect.objectContaining({ code: 'E40405' })]);
    // As it comes where clients reach the store itself.
    const key = new URL(signedUrl).pathname.replace('/storage/', '');
    await harness.storage.put(key, Readable.from([someBytes('evil')]));
    const { body: file } = await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin);
    expect(await (await harness.get(file.signedUrl ?? '')).text()).toBe('good');
  });
});

describe('When groups are assigned', () => {
  it('then only an administrator may', async () => {
    const id = await harness.upload({ fileName: 'adminonly.uap' });
    const refused = await harness.refused(
      fileRoutes.assignGroups,
      { params: { pid, id }, body: { groupIds: [3] } },
      developer,
    );
    expect([refused.status, refused.body.code]).toEqual([403, 'E40301']);
    expect(refused.body.message).toBe('Administrator privileges are required');
  });

  it('then groups that the tenant does not have are refused, and nothing is changed', async () => {
    const id = await harness.upload({ fileName: 'groups.uap' });
    for (const unknown of [77, 9]) {
      const refused = await harness.refused(
        fileRoutes.assignGroups,
        { params: { pid, id }, body: { groupIds: [3, unknown] } },
        admin,
      );
      expect(refused.status).toBe(404);
      expect(refused.body).toMatchObject({ code: 'E40404', errors: [{ field: 'group_ids' }] });
    }
    const { body } = await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin);
    expect(body.groups).toEqual([]);
  });

  it('then it waits for the upload, and no group is held for it', async () => {
    const { id } = await registered('waits.uap');
    const before = harness.holds.length;
    for (const [fileId, status, code] of [
      [id, 400, 'E40019'],
      [987_654, 404, 'E40405'],
    ] as const) {
      const refused = await harness.refused(
        fileRoutes.assignGroups,
        { params: { pid, id: fileId }, body: { groupIds: [3, 77] } },
        admin,
      );
      expect([refused.status, refused.body.code]).toEqual([status, code]);
    }
    expect(harness.holds).toHaveLength(before);
  });

  it('then the user service holds them all, and the event names the assignment that they were held for', async () => {
    const id = await harness.upload({ fileName: 'held.uap' });
    await harness.assign(id, [3]);
    await harness.assign(id, [4, 0, 3]);
    const hold = harness.holds.at(-1);
    // The one that it is assigned to already as well: it may be taken from that at the same moment.
    expect(hold).toMatchObject({ partnerId: pid, fileId: id, groupIds: [3, 4] });
    expect((await harness.events('file.assigned')).at(-1)?.data).toMatchObject({
      groupIds: [0, 3, 4],
      assignmentId: hold?.assignmentId,
    });

    const before = harness.holds.length;
    await harness.assign(id, [0]);
    await harness.assign(id, []);
    expect(harness.holds).toHaveLength(before);
    expect((await harness.events('file.assigned')).at(-1)?.data).not.toHaveProperty('assignmentId');
  });

  it('then everyone is refused where the contract forbids it, but for files that everyone has', async () => {
    const before = await harness.upload({ fileName: 'public.uap' });
    await harness.assign(before, [0]);
    await setPublic(false, 2);
    const id = await harness.upload({ fileName: 'inner.uap' });
    const held = harness.holds.length;
    for (const groupIds of [[0], [3, 0]]) {
      const refused = await harness.refused(
        fileRoutes.assignGroups,
        { params: { pid, id }, body: { groupIds } },
        admin,
      );
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({ code: 'E40304', errors: [{ field: 'group_ids' }] });
    }
    expect(harness.holds).toHaveLength(held);
    await harness.assign(id, [3]);
    // Everyone keeps it, and it may be said again; once taken away it stays so.
    await harness.assign(before, [0, 3]);
    await harness.assign(before, [3]);
    const again = { params: { pid, id: before }, body: { groupIds: [0] } };
    expect((await harness.refused(fileRoutes.assignGroups, again, admin)).body.code).toBe('E40304');

    await setPublic(true, 3);
    await harness.assign(before, [0]);
  });

  it('then a group of which no event has arrived yet is accepted, and has its name', async () => {
    harness.groups.set(6, { partnerId: pid, name: 'Just made' });
    const id = await harness.upload({ fileName: 'early.uap' });
    await harness.assign(id, [6]);
    const groups = async () =>
      (await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin)).body.groups;
    expect(await groups()).toEqual([{ id: 6, name: 'Just made' }]);
    await harness.group(6, 'As told');
    expect(await groups()).toEqual([{ id: 6, name: 'As told' }]);
    await harness.assign(id, [6]);
    expect(await groups()).toEqual([{ id: 6, name: 'As told' }]);
  });

  it('then one that only this service still knows is refused', async () => {
    await harness.group(7, 'Deleted elsewhere');
    harness.groups.delete(7);
    const id = await harness.upload({ fileName: 'late.uap' });
    const refused = await harness.refused(
      fileRoutes.assignGroups,
      { params: { pid, id }, body: { groupIds: [7] } },
      admin,
    );
    expect([refused.status, refused.body.code]).toEqual([404, 'E40404']);
  });

  it('then the set is what was given, group 0 is everyone, and a group that is deleted goes', async () => {
    await harness.group(5, 'Short-lived');
    const id = await harness.upload({ fileName: 'sets.uap' });
    await harness.assign(id, [3, 5, 3]);
    await harness.assign(id, [5, 0]);
    const { body } = await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin);
    expect(body.groups).toEqual([
      { id: 0, name: 'Everyone' },
      { id: 5, name: 'Short-lived' },
    ]);
    expect((await harness.events('file.assigned')).at(-1)?.data).toMatchObject({
      addedGroupIds: [0],
      removedGroupIds: [3],
    });
    expect(await harness.delivered(999)).toContain(id);
    await harness.deliver(userEvents.groupDeleted, { subject: 5, partnerId: 1, data: { groupId: 5 } });
    const after = await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin);
    expect(after.body.groups.map((group) => group.id)).toEqual([0]);
  });
});

describe('When a file is deleted', () => {
  it('then players learn of it, its name is free, and its bytes are deleted after seven days', async () => {
    const id = await harness.upload({ fileName: 'gone.uap' });
    await harness.assign(id, [3]);
    const player = playerActor({ accountId: 12 });
    const before = await harness.call(fileRoutes.listDelivered, { query: { perPage: 100 } }, player);
    expect((await harness.call(fileRoutes.deleteFile, { params: { pid, id } }, admin)).status).toBe(200);
    const after = await harness.call(
      fileRoutes.listDelivered,
      { query: { since: before.body.cursor } },
      player,
    );
    expect(after.body).toMatchObject({ files: [], removedIds: [id] });
    expect((await harness.events('file.deleted')).at(-1)?.data).toEqual({ fileId: id });
    expect((await harness.refused(fileRoutes.getFile, { params: { pid, id } }, admin)).body.code).toBe(
      'E40405',
    );
    expect((await harness.refused(fileRoutes.deleteFile, { params: { pid, id } }, admin)).status).toBe(404);
    expect((await register({ name: 'x', file_name: 'GONE.uap', file_size: 1 })).status).toBe(201);

    const [version] = await harness.sql<{ object_key: string }>(
      'SELECT * FROM versions WHERE file_id = $1',
      id,
    );
    const key = version?.object_key ?? '';
    harness.clock.advance(limits.deletedBytesRetention - 60_000);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(await harness.storage.head(key)).toBeDefined();
    // The store is away when the time has come: nothing is lost.
    const away = vi.spyOn(harness.storage, 'delete').mockRejectedValue(new Error('The store is away'));
    harness.clock.advance(120_000);
    await expect
      .poll(
        harness.afterJobs(async () => away.mock.calls.length),
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0);
    away.mockRestore();
    harness.clock.advance(61_000);
    await expect
      .poll(
        harness.afterJobs(async () => harness.storage.head(key)),
        { timeout: 10_000 },
      )
      .toBeUndefined();
  });
});

describe('When players page through what is delivered', () => {
  it('then every file is on one page', async () => {
    const seen: number[] = [];
    const actor = playerActor({ accountId: 12 });
    const whole = await harness.delivered(12);
    for (let page = 1; page <= whole.length; page += 1) {
      const { body } = await harness.call(fileRoutes.listDelivered, { query: { page, perPage: 1 } }, actor);
      expect(body).toMatchObject({ currentPage: page, totalPage: whole.length, totalCount: whole.length });
      seen.push(...body.files.map(({ id }) => id));
    }
    expect(seen).toEqual(whole);
  });

  it('then the portal is kept out, and so are players from the portal', async () => {
    const portal = await harness.refused(fileRoutes.listDelivered, {}, admin);
    const player = await harness.refused(
      fileRoutes.listFiles,
      { params: { pid } },
      playerActor({ accountId: 12, role: 268_435_456 }),
    );
    expect([portal.body.code, player.body.code]).toEqual(['E40301', 'E40301']);
  });
});

describe('When somebody of another tenant asks', () => {
  it('then files and uploads do not exist', async () => {
    const { id, uploadId } = await registered('mine.uap');
    for (const contract of [fileRoutes.getFile, fileRoutes.deleteFile]) {
      const refused = await harness.refused(contract, { params: { pid: 2, id } }, stranger);
      expect([refused.status, refused.body.code]).toEqual([404, 'E40405']);
    }
    for (const contract of [fileRoutes.getUpload, fileRoutes.abortUpload]) {
      const refused = await harness.refused(contract, { params: { uploadId } }, stranger);
      expect([refused.status, refused.body.code]).toEqual([404, 'E40401']);
    }
    const parts = await harness.refused(
      fileRoutes.signParts,
      { params: { uploadId }, body: { partNumbers: [1] } },
      stranger,
    );
    expect(parts.status).toBe(404);
  });
});

async function setPublic(filePublicFlag: boolean, revision: number): Promise<void> {
  await harness.deliver(tenantEvents.partnerUpdated, {
    subject: pid,
    partnerId: pid,
    data: { ...tenantEvents.partnerCreated.example, filePublicFlag, revision },
  });
}
