import { adminRoleBits, fileRoutes } from '@portal/contracts';
import { type Actor, adminActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  admin,
  type FileHarness,
  firstUnknownPartner,
  someBytes,
  startFileHarness,
  stranger,
} from './file-harness.ts';

/** Administrators and the files of a tenant: they read them, and nothing else. */

const pid = 1;
const { canReadTenantInformation, fileAdministration } = adminRoleBits;
const platform = adminActor({ role: 3 });
const ofItsUnit = adminActor({ role: 3, unitId: 7 });

let harness: FileHarness;
let file: number;
let foreign: number;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1, 0, { unitId: 7 });
  await harness.partner(2, 0, { unitId: 8 });
  await harness.group(3, 'Sales');
  file = await harness.upload({ fileName: 'Tour.uap', bytes: someBytes('tour') });
  foreign = await harness.upload({ fileName: 'Foreign.uap' }, stranger);
  await harness.assign(file, [3]);
});
afterAll(async () => harness.stop());

const list = async (actor: Actor, partnerId = pid) =>
  harness.refused(fileRoutes.listFiles, { params: { pid: partnerId }, query: {} }, actor);
const detail = async (actor: Actor, id = file, partnerId = pid) =>
  harness.refused(fileRoutes.getFile, { params: { pid: partnerId, id } }, actor);
const codeOf = ({ body, status }: Awaited<ReturnType<typeof list>>) => [status, body.code];

describe('When an administrator reads the files of a tenant', () => {
  it.each([
    ['the platform', platform],
    ['its unit', ofItsUnit],
  ])('then one of %s gets what its people get, but not the bytes', async (_, actor) => {
    const params = { pid, id: file };
    const rows = await harness.call(fileRoutes.listFiles, { params, query: {} }, actor);
    const own = await harness.call(fileRoutes.listFiles, { params, query: {} }, admin);
    expect([rows.status, rows.body]).toEqual([200, own.body]);
    expect(own.body.files).toMatchObject([
      { id: file, name: 'Tour.uap', groups: [{ id: 3, name: 'Sales' }] },
    ]);
    const read = await harness.call(fileRoutes.getFile, { params }, actor);
    const seen = await harness.call(fileRoutes.getFile, { params }, admin);
    expect(seen.body.signedUrl).toEqual(expect.any(String));
    expect([read.status, read.body]).toEqual([200, { ...seen.body, signedUrl: null }]);
  });

  it('then the right to files is needed, not that to read tenants', async () => {
    const without = adminActor({ role: 127 & ~fileAdministration });
    for (const actor of [adminActor({ role: canReadTenantInformation }), without]) {
      expect(codeOf(await list(actor))).toEqual([403, 'E40301']);
      expect(codeOf(await detail(actor))).toEqual([403, 'E40301']);
    }
    expect((await list(adminActor({ role: fileAdministration }))).status).toBe(200);
  });

  it('then a tenant of another unit does not exist, nor does one that nobody knows', async () => {
    const ofAnother = adminActor({ role: 63, unitId: 8 });
    expect(codeOf(await list(ofAnother))).toEqual([404, 'E40402']);
    expect(codeOf(await detail(ofAnother))).toEqual([404, 'E40402']);
    for (const actor of [platform, ofItsUnit]) {
      expect(codeOf(await list(actor, firstUnknownPartner))).toEqual([404, 'E40402']);
      expect(codeOf(await detail(actor, file, firstUnknownPartner))).toEqual([404, 'E40402']);
    }
  });

  it('then a file of another tenant is not among them', async () => {
    expect(codeOf(await detail(platform, foreign))).toEqual([404, 'E40405']);
    expect((await detail(platform, foreign, 2)).status).toBe(200);
  });

  it('then nothing of them is theirs to change', async () => {
    const params = { pid, id: file };
    const all = adminActor();
    const replies = [
      await harness.refused(fileRoutes.updateFile, { params, body: { name: 'x' } }, all),
      await harness.refused(fileRoutes.deleteFile, { params }, all),
      await harness.refused(fileRoutes.assignGroups, { params, body: { groupIds: [] } }, all),
      await harness.refused(
        fileRoutes.createFile,
        { params, body: { name: 'x', fileName: 'x.uap', fileSize: 1 } },
        all,
      ),
    ];
    expect(replies.map(codeOf)).toEqual(replies.map(() => [401, 'E40102']));
  });
});
