import { fileRoutes } from '@portal/contracts';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, developer, type FileHarness, startFileHarness, stranger } from './file-harness.ts';

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
