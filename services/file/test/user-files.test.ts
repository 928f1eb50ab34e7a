import { fileRoutes } from '@portal/contracts';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, developer, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

let harness: FileHarness;
const sales = { id: 3, name: 'Sales' };
const field = { id: 4, name: 'Field' };
const minute = 60_000;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.group(sales.id, sales.name);
  await harness.group(field.id, field.name);
  await harness.user(12, [sales.id]);
  await harness.user(13, []);
});
afterAll(async () => harness.stop());

const filesOf = async (id: number, query = {}, language = 'en') =>
  harness.call(
    fileRoutes.listUserFiles,
    { params: { pid: 1, id }, query, headers: { 'accept-language': language } },
    admin,
  );
/** Each file with its reasons, as `name: group since HH:mm`. */
const reasonsOf = async (id: number) =>
  (await filesOf(id, { perPage: 100 })).body.files.map(
    ({ groups, name }) =>
      `${name}: ${groups.map((group) => `${group.name} ${group.since.slice(11, 16)}`).join(', ')}`,
  );

describe('When an administrator asks what is delivered to a user', () => {
  it('then every file is told with the groups that it comes through, and since when', async () => {
    const tour = await harness.upload({ fileName: 'tour.uap' });
    const handbook = await harness.upload({ fileName: 'handbook.ufpz' });
    expect(await reasonsOf(12)).toEqual([]);

    harness.clock.advance(minute);
    await harness.assign(tour, [sales.id]);
    harness.clock.advance(minute);
    await harness.assign(handbook, [0, field.id]);
    harness.clock.advance(minute);
    await harness.user(12, [sales.id, field.id]);

    expect(await reasonsOf(12)).toEqual([
      'handbook.ufpz: Everyone 09:02, Field 09:03',
      'tour.uap: Sales 09:01',
    ]);
    expect(await reasonsOf(13)).toEqual(['handbook.ufpz: Everyone 09:02']);
    expect((await filesOf(12, {}, 'ja')).body.files[0]?.groups[0]).toEqual({
      id: 0,
      name: '全員',
      since: '2026-11-21T09:02:00Z',
    });
  });

  it('then it is what their player gets, in pages', async () => {
    expect((await filesOf(12)).body.files.map(({ id }) => id).reverse()).toEqual(await harness.delivered(12));
    const { body } = await filesOf(12, { page: 2, perPage: 1 });
    expect(body).toMatchObject({ currentPage: 2, totalPage: 2, totalCount: 2 });
    expect(body.files.map(({ name }) => name)).toEqual(['tour.uap']);
  });

  it('then who leaves a group and comes back has the file since then', async () => {
    harness.clock.advance(minute);
    await harness.user(12, []);
    expect(await reasonsOf(12)).toEqual(['handbook.ufpz: Everyone 09:02']);
    harness.clock.advance(minute);
    await harness.user(12, [sales.id]);
    expect(await reasonsOf(12)).toEqual(['handbook.ufpz: Everyone 09:02', 'tour.uap: Sales 09:05']);
  });

  it('then a reserved file comes with its time, and not before', async () => {
    const later = await harness.upload({
      fileName: 'later.uap',
      deliverReservationAt: '2026-11-21T10:00:00Z',
    });
    await harness.assign(later, [sales.id]);
    expect(await reasonsOf(12)).toHaveLength(2);
    harness.clock.advance(60 * minute);
    expect((await reasonsOf(12))[0]).toBe('later.uap: Sales 10:00');
  });

  it('then an assignment from before the times were kept counts from the upload on', async () => {
    await harness.sql('UPDATE memberships SET added_at = NULL');
    await harness.sql('UPDATE assignments SET added_at = NULL');
    expect((await reasonsOf(12)).at(-1)).toBe('tour.uap: Sales 09:00');
  });
});

describe('When it is asked for what one may not see', () => {
  it('then a user that does not exist is E40403', async () => {
    const { body, status } = await harness.refused(
      fileRoutes.listUserFiles,
      { params: { pid: 1, id: 999 } },
      admin,
    );
    expect([status, body.code]).toEqual([404, 'E40403']);
  });

  it('then developers see it, push senders and other tenants do not', async () => {
    const ask = async (actor: typeof admin) => {
      const request = { params: { pid: 1, id: 12 } };
      const { body, status } = await harness.refused(fileRoutes.listUserFiles, request, actor);
      return [status, body.code];
    };
    expect(await ask(developer)).toEqual([200, undefined]);
    expect(await ask(partnerActor({ role: 1 }))).toEqual([403, 'E40301']);
    expect((await ask(stranger))[0]).toBe(404);
  });
});

describe('When the files of a group are asked for', () => {
  const filesIn = async (group: number, query = {}) =>
    harness.call(fileRoutes.listFiles, { params: { pid: 1 }, query: { group, ...query } }, admin);

  it('then those are listed that are assigned to it now', async () => {
    const { body } = await filesIn(sales.id);
    expect(body.files.map(({ name }) => name)).toEqual(['later.uap', 'tour.uap']);
    const tour = body.files[1]?.id ?? 0;
    await harness.assign(tour, [field.id]);
    expect((await filesIn(sales.id)).body.files.map(({ name }) => name)).toEqual(['later.uap']);
    expect((await filesIn(field.id, { name: 'TOUR' })).body.files).toHaveLength(1);
    expect((await filesIn(99)).body.files).toEqual([]);
  });
});

describe('When it is asked what will reach a user later', () => {
  const aheadOf = async (id: number, query = {}, language = 'en') =>
    harness.call(
      fileRoutes.listUserFilesAhead,
      { params: { pid: 1, id }, query, headers: { 'accept-language': language } },
      admin,
    );
  /** Each file as `name vN: delivery, update | groups`, the times as HH:mm. */
  const ahead = async (id: number) =>
    (await aheadOf(id, { perPage: 100 })).body.files.map(
      ({ deliverReservationAt, groups, name, updateReservationAt, version }) =>
        `${name} v${version}: ${[deliverReservationAt, updateReservationAt]
          .map((time) => time?.slice(11, 16) ?? '-')
          .join(', ')} | ${groups.map((group) => group.name).join(', ')}`,
    );
  const at = (ms: number) => new Date(harness.clock.now().getTime() + ms).toISOString().replace('.000Z', 'Z');
  const ids: Record<string, number> = {};

  /** Gives a file an update at a time, with all of its bytes. */
  async function updateAt(id: number, fileName: string, time: string) {
    const bytes = someBytes('the next version');
    const { body } = await harness.call(
      fileRoutes.reserveUpdate,
      { params: { pid: 1, id }, body: { updateReservationAt: time, fileName, fileSize: bytes.byteLength } },
      admin,
    );
    if (!('signedUrl' in body)) throw new Error('There is no upload');
    await harness.put(body.signedUrl, bytes);
    await harness.call(fileRoutes.completeUpload, { params: { uploadId: body.uploadId }, body: {} }, admin);
  }

  beforeAll(async () => {
    await harness.user(12, [sales.id, field.id]);
    ids['soon'] = await harness.upload({ fileName: 'soon.uap', deliverReservationAt: at(30 * minute) });
    ids['both'] = await harness.upload({ fileName: 'both.uap', deliverReservationAt: at(20 * minute) });
    ids['now'] = await harness.upload({ fileName: 'now.uap' });
    ids['unassigned'] = await harness.upload({
      fileName: 'unassigned.uap',
      deliverReservationAt: at(20 * minute),
    });
    ids['deleted'] = await harness.upload({ fileName: 'deleted.uap', deliverReservationAt: at(20 * minute) });
    await harness.assign(ids['soon'], [0, field.id]);
    await harness.assign(ids['both'], [sales.id]);
    await harness.assign(ids['now'], [sales.id]);
    await harness.assign(ids['deleted'], [0]);
    await updateAt(ids['both'], 'both.uap', at(50 * minute));
    await updateAt(ids['now'], 'now.uap', at(40 * minute));
    await harness.call(fileRoutes.deleteFile, { params: { pid: 1, id: ids['deleted'] } }, admin);
  });

  it('then deliveries and updates that are reserved are told, the next one first, with their groups', async () => {
    expect(await ahead(12)).toEqual([
      'both.uap v1: 10:25, 10:55 | Sales',
      'soon.uap v1: 10:35, - | Everyone, Field',
      'now.uap v2: -, 10:45 | Sales',
    ]);
    expect(await ahead(13)).toEqual(['soon.uap v1: 10:35, - | Everyone']);
    expect((await aheadOf(13, {}, 'ja')).body.files[0]?.groups).toEqual([{ id: 0, name: '全員' }]);
  });

  it('then it comes in pages, and one after the last still says how many there are', async () => {
    const { body } = await aheadOf(12, { page: 2, perPage: 1 });
    expect(body).toMatchObject({ currentPage: 2, totalPage: 3, totalCount: 3 });
    expect(body.files.map(({ name }) => name)).toEqual(['soon.uap']);
    expect((await aheadOf(12, { page: 9 })).body).toMatchObject({ totalCount: 3, files: [] });
  });

  it('then at its time each is what the player gets, and is not ahead any more', async () => {
    const before = await harness.delivered(12);
    const next = (await aheadOf(12)).body.files[0];
    expect(next?.id).toBe(ids['both']);
    harness.clock.advance(20 * minute);
    expect((await harness.delivered(12)).filter((id) => !before.includes(id))).toEqual([next?.id]);
    expect(await ahead(12)).toEqual([
      'soon.uap v1: 10:35, - | Everyone, Field',
      'now.uap v2: -, 10:45 | Sales',
      'both.uap v2: -, 10:55 | Sales',
    ]);
    harness.clock.advance(60 * minute);
    expect(await ahead(12)).toEqual([]);
    expect(await reasonsOf(12)).toContainEqual(expect.stringContaining('soon.uap'));
  });

  it('then who leaves the group does not get it', async () => {
    const later = await harness.upload({ fileName: 'left.uap', deliverReservationAt: at(30 * minute) });
    await harness.assign(later, [field.id]);
    expect(await ahead(12)).toHaveLength(1);
    await harness.user(12, [sales.id]);
    expect(await ahead(12)).toEqual([]);
  });

  it('then a user that does not exist is E40403, a push sender E40301, another tenant gets nothing', async () => {
    const ask = async (id: number, actor: typeof admin) => {
      const { body, status } = await harness.refused(
        fileRoutes.listUserFilesAhead,
        { params: { pid: 1, id } },
        actor,
      );
      return [status, body.code];
    };
    expect(await ask(999, admin)).toEqual([404, 'E40403']);
    expect(await ask(12, developer)).toEqual([200, undefined]);
    expect(await ask(12, partnerActor({ role: 1 }))).toEqual([403, 'E40301']);
    expect((await ask(12, stranger))[0]).toBe(404);
  });
});
