import { fileRoutes, formatDateTime } from '@portal/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, developer, type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

const pid = 1;

let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.group(3, 'Sales');
});
afterAll(async () => harness.stop());

const inMinutes = (minutes: number) =>
  formatDateTime(new Date(harness.clock.now().getTime() + minutes * 60_000));
const params = (id: number) => ({ params: { pid, id } });
const fileOf = async (id: number) => (await harness.call(fileRoutes.getFile, params(id), admin)).body;

let files = 0;
const nextName = () => `package${++files}.uap`;

async function update(id: number, body: object, actor = developer) {
  return harness.refused(fileRoutes.updateFile, { ...params(id), body }, actor);
}
async function reserve(
  id: number,
  body: { updateReservationAt: string; fileName?: string; fileSize?: number },
  actor = developer,
) {
  return harness.refused(fileRoutes.reserveUpdate, { ...params(id), body }, actor);
}
const versionOf = (fileName: string) => ({ fileName, fileSize: someBytes('new').length });

/** A file with a reserved delivery and a reserved update. */
async function reservedFile(groupIds: number[]) {
  const fileName = nextName();
  const id = await harness.upload({ fileName, deliverReservationAt: inMinutes(60) });
  const { body } = await reserve(id, { updateReservationAt: inMinutes(90), ...versionOf(fileName) }, admin);
  if (!('uploadId' in body)) throw new Error(JSON.stringify(body));
  await harness.assign(id, groupIds);
  return { id, fileName };
}

type Reserved = Awaited<ReturnType<typeof reservedFile>>;

/** What changes what players get of a file. */
const changes: Record<string, (file: Reserved) => Promise<{ status: number; body: object }>> = {
  'other bytes': ({ id, fileName }) => update(id, versionOf(fileName)),
  'another time of delivery': ({ id }) => update(id, { deliverReservationAt: inMinutes(30) }),
  'delivery at once': ({ id }) => update(id, { deliverReservationAt: null }),
  'another update': ({ id, fileName }) =>
    reserve(id, { updateReservationAt: inMinutes(90), ...versionOf(fileName) }),
  'another time of the update': ({ id }) => reserve(id, { updateReservationAt: inMinutes(120) }),
  'no update': ({ id }) => harness.refused(fileRoutes.cancelUpdate, params(id), developer),
  deletion: ({ id }) => harness.refused(fileRoutes.deleteFile, params(id), developer),
};

describe('When a developer changes what players get', () => {
  for (const [change, make] of Object.entries(changes)) {
    it(`then ${change} of a file that has groups is refused, and nothing is changed`, async () => {
      const file = await reservedFile([3]);
      const before = await fileOf(file.id);
      const refused = await make(file);
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({
        code: 'E40301',
        message: 'Administrator privileges are required',
      });
      expect({ ...(await fileOf(file.id)), signedUrl: '' }).toEqual({ ...before, signedUrl: '' });
    });

    it(`then ${change} of a file without groups is done`, async () => {
      expect((await make(await reservedFile([]))).status).toBe(200);
    });
  }

  it('then the name and note of a file that has groups are changed, with its times as they are', async () => {
    const { id } = await reservedFile([3]);
    const { deliverReservationAt, updateReservationAt } = await fileOf(id);
    if (updateReservationAt === null) throw new Error('No update is reserved');
    expect((await update(id, { name: 'Renamed', note: 'By a developer', deliverReservationAt })).status).toBe(
      200,
    );
    expect((await reserve(id, { updateReservationAt })).status).toBe(200);
    expect(await fileOf(id)).toMatchObject({ name: 'Renamed', deliverReservationAt, updateReservationAt });
  });
});
