import { randomUUID } from 'node:crypto';
import { fileEvents, userRoutes } from '@portal/contracts';
import { holdGroups, releaseGroups } from '@portal/contracts/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

let harness: UserHarness;
let own: TestPartner;

beforeAll(async () => {
  harness = await startUserHarness();
  own = await harness.partner();
});
afterAll(async () => harness.stop());

let files = 0;
let groups = 0;
const newGroup = async () => own.group(`Group ${++groups}`);

async function hold(fileId: number, groupIds: number[], assignmentId: string = randomUUID()) {
  const body = { partnerId: own.pid, fileId, groupIds, assignmentId };
  return { assignmentId, reply: await harness.callAs('file', holdGroups, { body }) };
}

const assigned = async (fileId: number, groupIds: number[], assignmentId?: string) =>
  harness.deliver(fileEvents.fileAssigned, {
    subject: fileId,
    partnerId: own.pid,
    data: {
      fileId,
      groupIds,
      addedGroupIds: [],
      removedGroupIds: [],
      notifyEmail: false,
      notifyPush: false,
      ...(assignmentId === undefined ? {} : { assignmentId }),
    },
  });

const deleted = async (fileId: number) =>
  harness.deliver(fileEvents.fileDeleted, { subject: fileId, partnerId: own.pid, data: { fileId } });

/** The code of the refusal, or 200. */
async function remove(id: number): Promise<string | number> {
  const { body, status } = await harness.refused(
    userRoutes.deleteGroup,
    { params: { pid: own.pid, id } },
    own.actor,
  );
  return status === 200 ? status : body.code;
}

const holdsOf = async (fileId: number) =>
  harness.sql('SELECT group_id FROM group_holds WHERE file_id = $1 ORDER BY 1', fileId);

describe('When groups are held for a file', () => {
  it('then they are answered by name, and none is deleted until the file is known to be elsewhere', async () => {
    const file = ++files;
    const [one, two, other] = [await newGroup(), await newGroup(), await newGroup()];
    const { assignmentId, reply } = await hold(file, [two, one, two]);
    expect([reply.status, reply.body.groups.map(({ id }) => id)]).toEqual([200, [one, two]]);
    expect(reply.body.groups[0]?.name).toMatch(/^Group \d+$/);
    expect(await Promise.all([one, two, other].map(remove))).toEqual(['E40028', 'E40028', 200]);

    await assigned(file, [0, one], assignmentId);
    expect(await holdsOf(file)).toEqual([]);
    // The second was in the hold, and not in what became of it.
    expect(await Promise.all([one, two].map(remove))).toEqual(['E40028', 200]);
    await assigned(file, [0]);
    expect(await remove(one)).toBe(200);
  });

  it('then what was told of an earlier assignment does not undo it', async () => {
    const file = ++files;
    const group = await newGroup();
    const { assignmentId: earlier } = await hold(file, [group]);
    const { assignmentId } = await hold(file, [group]);
    await assigned(file, [], earlier);
    await assigned(file, []);
    expect(await remove(group)).toBe('E40028');
    await assigned(file, [group], assignmentId);
    expect(await remove(group)).toBe('E40028');
    await deleted(file);
    expect(await remove(group)).toBe(200);
  });

  it('then to ask again is no second hold', async () => {
    const file = ++files;
    const group = await newGroup();
    const { assignmentId } = await hold(file, [group]);
    expect((await hold(file, [group], assignmentId)).reply.status).toBe(200);
    expect(await holdsOf(file)).toEqual([{ group_id: group }]);
  });

  it('then all are, or none', async () => {
    const file = ++files;
    const [group, gone] = [await newGroup(), await newGroup()];
    expect(await remove(gone)).toBe(200);
    const foreign = await (await harness.partner()).group('Foreign');
    for (const missing of [gone, foreign, 2_000_000_000]) {
      const { reply } = await hold(file, [group, missing]);
      expect([reply.status, reply.body]).toMatchObject([
        404,
        { code: 'E40404', errors: [{ field: 'group_ids' }] },
      ]);
    }
    expect(await holdsOf(file)).toEqual([]);
    expect(await remove(group)).toBe(200);
  });

  it('then an assignment that is refused holds them no more, and another one does', async () => {
    const file = ++files;
    const group = await newGroup();
    const { assignmentId } = await hold(file, [group]);
    const { assignmentId: other } = await hold(file, [group]);
    const release = async (of: string) =>
      harness.callAs('file', releaseGroups, { body: { partnerId: own.pid, assignmentId: of } });
    await release(assignmentId);
    await release(assignmentId);
    expect(await remove(group)).toBe('E40028');
    await release(other);
    expect(await remove(group)).toBe(200);
  });

  it('then a file that is deleted before its assignment holds none', async () => {
    const file = ++files;
    const group = await newGroup();
    await hold(file, [group]);
    await deleted(file);
    expect(await remove(group)).toBe(200);
  });

  it('then nothing is held for ever, though nothing is told of it', async () => {
    const file = ++files;
    const [first, second] = [await newGroup(), await newGroup()];
    await hold(file, [first, second]);
    harness.clock.advance(24 * 3_600_000 - 1_000);
    expect(await remove(first)).toBe('E40028');
    harness.clock.advance(1_000);
    expect(await remove(first)).toBe(200);
    expect(await holdsOf(file)).toEqual([{ group_id: second }]);
    await hold(++files, [second]);
    expect(await holdsOf(file)).toEqual([]);
  });
});

it('When a group is held and deleted at the same moment, then one of the two is refused', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 40; round += 1) {
    const group = await newGroup();
    const calls = [
      async () => remove(group),
      async () => {
        const { status } = (await hold(++files, [group])).reply;
        return status;
      },
    ];
    const [first, second] = await Promise.all((round % 2 ? calls : calls.toReversed()).map((call) => call()));
    outcomes.add(round % 2 ? `${first} ${second}` : `${second} ${first}`);
  }
  for (const outcome of outcomes) expect(['200 404', 'E40028 200']).toContain(outcome);
});

it('When a hold becomes a file while its group is deleted, then the group stays', async () => {
  for (let round = 0; round < 20; round += 1) {
    const file = ++files;
    const group = await newGroup();
    const { assignmentId } = await hold(file, [group]);
    let isSettled = false;
    const settling = assigned(file, [group], assignmentId).finally(() => {
      isSettled = true;
    });
    while (!isSettled) expect(await remove(group)).toBe('E40028');
    await settling;
    expect(await remove(group)).toBe('E40028');
  }
});
