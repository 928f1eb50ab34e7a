import {
  deliveryRoutes,
  fileRoutes,
  formatDateTime,
  previewRoutes,
  rolloutRoutes,
  userEvents,
} from '@portal/contracts';
import { partnerActor, playerActor } from '@portal/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, developer, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

/** The effect of a change before it is made, held to what every player gets before and after it. */
let harness: FileHarness;
const pid = 1;
const minute = 60_000;
const people = [11, 12, 13, 14, 15, 16];
const groups = [3, 4, 5];

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.partner(2);
  await harness.group(3, 'Sales');
  await harness.group(4, 'Field');
  await harness.group(5, 'Empty');
  for (const id of people) await harness.user(id, groupsOf(id));
  for (const id of [11, 12, 13]) await signIn(id, `tablet-${id}`);
  await signIn(11, 'phone-11');
});
afterAll(async () => harness.stop());

const groupsOf = (id: number) => [...(id % 2 ? [3] : []), ...(id % 3 ? [4] : [])];
const signIn = async (userId: number, uuid: string) =>
  harness.deliver(userEvents.deviceRegistered, {
    subject: uuid,
    partnerId: 1,
    data: { userId, uuid, name: uuid, osType: 'ios', osVersion: '19', playerVersion: '5' },
  });
const inMinutes = (minutes: number) =>
  formatDateTime(new Date(harness.clock.now().getTime() + minutes * minute));

const raw = async (id: number, change: object, actor = admin) =>
  harness.refused(previewRoutes.previewChange, { params: { pid, id }, body: change as never }, actor);
async function preview(id: number, what: string, body: object = {}) {
  const reply = await raw(id, { what, body });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return reply.body as never as Awaited<ReturnType<typeof shown>>['body'];
}
const shown = async (id: number) =>
  harness.call(
    previewRoutes.previewChange,
    { params: { pid, id }, body: { what: 'deletion', body: {} } },
    admin,
  );
const assign = async (id: number, body: object, actor = admin) =>
  harness.refused(fileRoutes.assignGroups, { params: { pid, id }, body: body as never }, actor);
const outdated = { code: 'E40034', errors: [{ field: 'preview_token' }] };

async function fileOf(name: string, groupIds: number[] = []): Promise<number> {
  const id = await harness.upload({ fileName: `${name}.uap`, bytes: someBytes('first') });
  if (groupIds.length > 0) await harness.assign(id, groupIds);
  return id;
}

async function uploadNext(id: number, name: string, text: string): Promise<void> {
  const opened = await harness.call(
    fileRoutes.updateFile,
    { params: { pid, id }, body: { fileName: `${name}.uap`, fileSize: text.length } },
    admin,
  );
  if (!('uploadId' in opened.body)) throw new Error(JSON.stringify(opened.body));
  await harness.put(opened.body.signedUrl, someBytes(text));
  const { uploadId } = opened.body;
  await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
}

describe('When a change is previewed', () => {
  it('then an assignment tells who gains and who loses, with their devices, their names and the bytes', async () => {
    const id = await fileOf('assigned', [3]);
    const effect = await preview(id, 'groups', { groupIds: [4] });
    // 11 and 13 are in both groups, 14 and 16 in the second alone, 15 in the first alone.
    expect(effect.gains).toEqual({ users: 2, devices: 0, names: ['user 14', 'user 16'] });
    expect(effect.loses).toEqual({ users: 1, devices: 0, names: ['user 15'] });
    expect(effect.changes).toEqual({ users: 0, devices: 0, names: [] });
    expect(effect.bytes).toBe(0);
    const all = await preview(id, 'groups', { groupIds: [0] });
    expect(all.gains).toMatchObject({ users: 3, devices: 1, names: ['user 12', 'user 14', 'user 16'] });
    expect(all.bytes).toBe(5);
    expect(await harness.delivered(14)).not.toContain(id);
    expect(harness.holds.filter(({ fileId }) => fileId === id)).toHaveLength(1);
  });

  it('then new bytes, a reservation and a restoration tell who gets another version, and a deletion who loses it', async () => {
    const id = await fileOf('changed', [3]);
    const sized = { fileName: 'changed.uap', fileSize: 100 };
    const three = { users: 3, devices: 3, names: ['user 11', 'user 13', 'user 15'] };
    expect(await preview(id, 'file', sized)).toMatchObject({ changes: three, bytes: 300 });
    expect(await preview(id, 'reservation', { updateReservationAt: inMinutes(30), ...sized })).toMatchObject({
      changes: three,
      bytes: 300,
      gains: { users: 0 },
    });
    expect(await preview(id, 'file', { name: 'Other' })).toMatchObject({ changes: { users: 0 }, bytes: 0 });
    expect(await preview(id, 'deletion')).toMatchObject({ loses: three, bytes: 0 });
    await uploadNext(id, 'changed', 'second!');
    expect(await preview(id, 'restore', { version: 1 })).toMatchObject({ changes: three, bytes: 15 });
    expect(await preview(id, 'restore', { version: 1, updateReservationAt: inMinutes(30) })).toMatchObject({
      changes: three,
      bytes: 15,
    });
    expect(await preview(id, 'cancel_reservation')).toMatchObject({ changes: { users: 0 } });
  });

  it('then a time of delivery is as if it had come, and one that takes a file away tells who loses it until then', async () => {
    const at = inMinutes(60);
    const id = await harness.upload({ fileName: 'later.uap', deliverReservationAt: at });
    expect((await preview(id, 'groups', { groupIds: [3] })).gains.users).toBe(3);
    await harness.assign(id, [3]);
    expect((await preview(id, 'file', { deliverReservationAt: inMinutes(90) })).gains.users).toBe(3);
    expect((await preview(id, 'file', { deliverReservationAt: null })).gains.users).toBe(3);
    expect((await preview(id, 'deletion')).loses.users).toBe(0);
    harness.clock.advance(61 * minute);
    expect((await preview(id, 'file', { deliverReservationAt: inMinutes(60) })).loses.users).toBe(3);
  });

  it('then it tells what the change meets', async () => {
    const id = await fileOf('meets', [3]);
    const kinds = async (what: string, body: object = {}) =>
      (await preview(id, what, body)).collisions.map(({ kind }) => kind);
    expect(await kinds('groups', { groupIds: [4] })).toEqual([]);
    const sized = { fileName: 'meets.uap', fileSize: 7 };
    await harness.call(
      fileRoutes.reserveUpdate,
      { params: { pid, id }, body: { updateReservationAt: inMinutes(60), ...sized } },
      admin,
    );
    expect(await kinds('reservation', { updateReservationAt: inMinutes(90), ...sized })).toEqual([
      'reservation',
      'upload',
    ]);
    expect(await kinds('file', sized)).toEqual(['reservation']);
    expect(await kinds('deletion')).toEqual(['reservation', 'upload']);
    const settings = async (versionsKept: number) =>
      harness.call(deliveryRoutes.updateDeliverySettings, { params: { pid }, body: { versionsKept } }, admin);
    await settings(1);
    expect(await kinds('file', sized)).toEqual(['reservation', 'limit']);
    await settings(10);
  });

  it('then it tells what becomes of stages that run', async () => {
    const id = await fileOf('meets-stages', []);
    const plan = { stages: [{ percent: 10 }, { percent: 100 }] };
    const sized = { fileName: 'meets-stages.uap', fileSize: 7 };
    const at = { updateReservationAt: inMinutes(60) };
    const met = async (what: string, body: object = {}) =>
      (await preview(id, what, body)).collisions
        .filter(({ kind }) => kind === 'rollout')
        .map(({ message }) => message);
    expect(await met('groups', { groupIds: [3], rollout: plan })).toEqual([]);
    const params = { pid, id };
    await harness.call(fileRoutes.assignGroups, { params, body: { groupIds: [3], rollout: plan } }, admin);
    const replaced = ['The stages of version 1 end: everyone gets the new version.'];
    const stay = [
      'The stages of version 1 stay as they are then: devices that the new version has not reached keep what these give them.',
    ];
    for (const stage of [0, 1, 11]) {
      const { body } = await raw(id, { what: 'rollout', body: { action: 'advance', stage } });
      expect([stage, body]).toMatchObject([stage, { code: 'E40034' }]);
    }
    expect(await met('groups', { groupIds: [3] })).toEqual([]);
    expect(await met('groups', { groupIds: [3, 4] })).toEqual([
      'Version 1 goes out in stages: the groups that are added get it as its stages reach them.',
    ]);
    expect(await met('groups', { groupIds: [3], rollout: null })).toEqual([
      'The stages of version 1 end: everyone gets it.',
    ]);
    expect(await met('file', { name: 'Another' })).toEqual([]);
    expect(await met('file', sized)).toEqual(replaced);
    expect(await met('file', { ...sized, rollout: plan })).toEqual(stay);
    expect(await met('reservation', { ...at, ...sized })).toEqual(replaced);
    expect(await met('reservation', { ...at, ...sized, rollout: plan })).toEqual(stay);
    expect(await met('deletion')).toEqual(['The stages of version 1 end with the file.']);
    expect(await met('rollout', { action: 'halt' })).toEqual([]);
    await harness.call(rolloutRoutes.haltRollout, { params }, admin);
    expect(await met('groups', { groupIds: [3, 4] })).toEqual([
      'The stages of version 1 are halted or cancelled: the groups that are added do not get it.',
    ]);
    await harness.call(rolloutRoutes.cancelRollout, { params }, admin);
    expect(await met('file', sized)).toEqual([]);
    const japanese = await harness.refused(
      previewRoutes.previewChange,
      { params, body: { what: 'groups', body: { groupIds: [3, 4] } }, headers: { 'accept-language': 'ja' } },
      admin,
    );
    expect(japanese.body).toMatchObject({
      collisions: [{ message: expect.stringContaining('停止または中止') }],
    });
  });

  it('then it is refused as the change would be, and changes nothing', async () => {
    const id = await fileOf('refused', [3]);
    const refused = async (what: string, body: object = {}, actor = admin, of = id) => {
      const reply = await raw(of, { what, body }, actor);
      const { code, errors = [] } = reply.body as { code?: string; errors?: readonly { field: string }[] };
      return [reply.status, code, ...errors.map(({ field }) => field)];
    };
    expect(await refused('groups', { groupIds: [99] })).toEqual([404, 'E40404', 'group_ids']);
    expect(await refused('reservation', { updateReservationAt: inMinutes(30) })).toEqual([
      400,
      'E40003',
      'file_name',
      'file_size',
    ]);
    const soon = { updateReservationAt: inMinutes(1), fileName: 'refused.uap', fileSize: 5 };
    expect(await refused('reservation', soon)).toEqual([400, 'E40002', 'update_reservation_at']);
    expect(await refused('restore', { version: 1 })).toEqual([400, 'E40034']);
    expect(await refused('restore', { version: 9 })).toEqual([404, 'E40401']);
    expect(await refused('rollout', { action: 'advance', stage: 2 })).toEqual([404, 'E40401']);
    expect(await refused('other')).toEqual([400, 'E40002', 'what']);
    expect((await raw(id, { body: {} })).body).toMatchObject({ code: 'E40003', errors: [{ field: 'what' }] });
    expect(await refused('deletion', {}, developer)).toEqual([403, 'E40301']);
    expect(await refused('groups', { groupIds: [] }, developer)).toEqual([403, 'E40301']);
    expect(await refused('rollout', { action: 'halt' }, developer)).toEqual([403, 'E40301']);
    expect(await refused('deletion', {}, admin, 999_999)).toEqual([404, 'E40405']);
    expect(await refused('deletion', {}, stranger)).not.toContain(200);
    expect(await refused('deletion', {}, partnerActor({ accountId: 5, role: 2 }))).toEqual([403, 'E40301']);
    const free = await fileOf('free');
    expect((await refused('deletion', {}, developer, free))[0]).toBe(200);
    expect(await harness.delivered(11)).toContain(id);
    const gone = await harness.events('file.deleted');
    expect(gone.filter(({ subject }) => subject === String(id))).toEqual([]);
  });
});

describe('When a change comes with the token of its preview', () => {
  it('then it is made, and with that of another change, an old one or a foreign one nothing is done', async () => {
    const id = await fileOf('tokens', [3]);
    const { previewToken } = await preview(id, 'groups', { groupIds: [4] });
    expect((await assign(id, { groupIds: [3, 4], previewToken })).body).toMatchObject(outdated);
    expect((await assign(id, { groupIds: [4], previewToken: 'made-up' })).body).toMatchObject(outdated);
    const other = await fileOf('tokens-2', [3]);
    expect((await assign(other, { groupIds: [4], previewToken })).body).toMatchObject(outdated);
    expect((await assign(id, { groupIds: [4], previewToken })).body).toEqual({});
    expect(await harness.delivered(14)).toContain(id);
    const old = await preview(id, 'groups', { groupIds: [3] });
    harness.clock.advance(15 * minute);
    expect((await assign(id, { groupIds: [3], previewToken: old.previewToken })).body).toMatchObject(
      outdated,
    );
    const { previewToken: last } = await preview(id, 'deletion');
    const gone = await harness.refused(
      fileRoutes.deleteFile,
      { params: { pid, id }, query: { previewToken: last } },
      admin,
    );
    expect(gone.body).toEqual({});
  });

  it('then it is refused once somebody else gets it, or the file has changed, and not for another device', async () => {
    const id = await fileOf('held', [3]);
    const first = await preview(id, 'groups', { groupIds: [4] });
    await signIn(14, 'tablet-14');
    // One comes, one goes: as many people as before, and others.
    await harness.user(12, [4]);
    await harness.user(16, []);
    expect((await assign(id, { groupIds: [4], ...tokenOf(first) })).body).toMatchObject(outdated);
    await harness.user(12, groupsOf(12));
    await harness.user(16, groupsOf(16));
    expect((await assign(id, { groupIds: [4], ...tokenOf(first) })).body).toEqual({});
    const second = await preview(id, 'groups', { groupIds: [3] });
    await uploadNext(id, 'held', 'second');
    expect((await assign(id, { groupIds: [3], ...tokenOf(second) })).body).toMatchObject(outdated);
    const third = await preview(id, 'groups', { groupIds: [3] });
    await harness.assign(id, [4, 5]);
    expect((await assign(id, { groupIds: [3], ...tokenOf(third) })).body).toMatchObject(outdated);
    expect(await harness.delivered(15)).not.toContain(id);
    // Groups are held for what was made alone.
    const held = harness.holds.filter(({ fileId }) => fileId === id).map(({ groupIds }) => groupIds);
    expect(held).toEqual([[3], [4], [4, 5]]);
  });

  const tokenOf = ({ previewToken }: { previewToken: string }) => ({ previewToken });
});

describe('Whatever is changed', () => {
  it('then what every player gets has become different just as the preview said', async () => {
    const change = fc.oneof(
      fc.record({ what: fc.constant('groups'), groupIds: fc.subarray([0, ...groups]) }),
      fc.record({ what: fc.constant('restore'), back: fc.integer({ min: 0, max: 2 }) }),
      fc.record({ what: fc.constant('bytes') }),
      fc.record({
        what: fc.constant('member'),
        user: fc.constantFrom(...people),
        groupIds: fc.subarray(groups),
      }),
      fc.record({ what: fc.constant('deletion') }),
    );
    let files = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 7 }), async (sequence) => {
        files += 1;
        const name = `model-${files}`;
        const id = await fileOf(name);
        let version = 1;
        for (const one of sequence) {
          if ('user' in one) {
            await harness.user(one.user, one.groupIds);
            continue;
          }
          if (one.what === 'bytes') {
            version += 1;
            await uploadNext(id, name, `bytes ${version}`);
            continue;
          }
          const body =
            'groupIds' in one
              ? { groupIds: one.groupIds }
              : 'back' in one
                ? { version: version - one.back }
                : {};
          const looked = await raw(id, { what: one.what, body });
          if (looked.status !== 200) continue;
          const { changes, gains, loses, previewToken } = looked.body as never as Awaited<
            ReturnType<typeof preview>
          >;
          const before = await everybody(id);
          const path = { pid, id };
          const done =
            'groupIds' in one
              ? await assign(id, { ...body, previewToken })
              : 'back' in one
                ? await harness.refused(
                    deliveryRoutes.restoreVersion,
                    { params: { ...path, version: version - one.back }, body: { previewToken } },
                    admin,
                  )
                : await harness.refused(
                    fileRoutes.deleteFile,
                    { params: path, query: { previewToken } },
                    admin,
                  );
          expect(done.status).toBeLessThan(300);
          if ('back' in one) version += 1;
          const after = await everybody(id);
          const who = (wanted: (had: number | undefined, has: number | undefined) => boolean) =>
            people.filter((user) => wanted(before.get(user), after.get(user))).map((user) => `user ${user}`);
          expect(gains.names).toEqual(who((had, has) => had === undefined && has !== undefined));
          expect(loses.names).toEqual(who((had, has) => had !== undefined && has === undefined));
          expect(changes.names).toEqual(
            who((had, has) => had !== undefined && has !== undefined && had !== has),
          );
          expect([gains.users, loses.users, changes.users]).toEqual([
            gains.names.length,
            loses.names.length,
            changes.names.length,
          ]);
          if (one.what === 'deletion') return;
        }
      }),
      { numRuns: 8 },
    );
  });

  async function everybody(id: number): Promise<Map<number, number>> {
    const found = await Promise.all(
      people.map(async (accountId) => {
        const reply = await harness.refused(
          fileRoutes.getDelivered,
          { params: { id } },
          playerActor({ accountId }),
        );
        return [accountId, (reply.body as { version?: number }).version] as const;
      }),
    );
    return new Map(
      found.flatMap(([who, version]) => (version === undefined ? [] : [[who, version] as const])),
    );
  }
});

describe('When a version goes out in stages', () => {
  const stages = [{ percent: 30 }, { percent: 60 }, { percent: 100 }];
  const devices = Array.from({ length: 12 }, (_, index) => ({
    accountId: people[index % people.length] ?? 0,
    platformUuid: `staged-${index}`,
  }));

  it('then its preview tells who comes in, goes out or stays, as every device sees it afterwards', async () => {
    for (const { accountId, platformUuid } of devices) await signIn(accountId, platformUuid);
    const id = await fileOf('staged', [3, 4]);
    const text = 'second';
    const bytes = { fileName: 'staged.uap', fileSize: text.length, rollout: { stages } };
    await held(id, 'file', bytes, async () => {
      const opened = await harness.call(fileRoutes.updateFile, { params: { pid, id }, body: bytes }, admin);
      if (!('uploadId' in opened.body)) throw new Error(JSON.stringify(opened.body));
      await harness.put(opened.body.signedUrl, someBytes(text));
      const { uploadId } = opened.body;
      return harness.refused(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
    });
    const act = async (action: 'advance' | 'halt' | 'resume' | 'cancel', stage?: number) =>
      held(id, 'rollout', { action, ...(stage ? { stage } : {}) }, async (previewToken) =>
        harness.refused(
          rolloutRoutes[`${action}Rollout`],
          { params: { pid, id }, query: { previewToken }, ...(stage && { body: { stage } }) } as never,
          admin,
        ),
      );
    await act('advance', 2);
    const [installing] = devices.filter(
      ({ accountId, platformUuid }) => seen.get(`${accountId} ${platformUuid}`) === 2,
    );
    await harness.call(
      deliveryRoutes.sendReceipt,
      {
        params: { id },
        body: { version: 2, status: 'installed', at: formatDateTime(harness.clock.now()) },
      },
      playerActor(installing ?? { accountId: 0 }),
    );
    await act('halt');
    await act('resume');
    await held(id, 'groups', { groupIds: [3] }, async (previewToken) =>
      assign(id, { groupIds: [3], previewToken }),
    );
    await act('advance', 3);
    await held(id, 'restore', { version: 1, rollout: { stages } }, async (previewToken) =>
      harness.refused(
        deliveryRoutes.restoreVersion,
        { params: { pid, id, version: 1 }, body: { rollout: { stages }, previewToken } as never },
        admin,
      ),
    );
    await act('cancel');
  });

  it('then its bytes are those of the version that each device is sent', async () => {
    for (const who of people) await harness.user(who, groupsOf(who));
    await signIn(14, 'bytes-14');
    const id = await fileOf('sized', [3]);
    const text = 'a second version that is much longer';
    const pilots = [{ percent: 100, groupIds: [3] }, { percent: 100 }];
    const bytes = { fileName: 'sized.uap', fileSize: text.length, rollout: { stages: pilots } };
    const coming = await preview(id, 'file', bytes);
    expect(coming.changes.devices).toBeGreaterThan(0);
    expect(coming.bytes).toBe(coming.changes.devices * text.length);
    const opened = await harness.call(fileRoutes.updateFile, { params: { pid, id }, body: bytes }, admin);
    if (!('uploadId' in opened.body)) throw new Error(JSON.stringify(opened.body));
    await harness.put(opened.body.signedUrl, someBytes(text));
    const { uploadId } = opened.body;
    await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
    // Five bytes of the version before.
    const ofFirst = async (what: string, body: object) => {
      const effect = await preview(id, what, body);
      const devices = effect.gains.devices + effect.changes.devices;
      expect(devices).toBeGreaterThan(0);
      expect([what, body, effect.bytes]).toEqual([what, body, devices * 5]);
    };
    await ofFirst('rollout', { action: 'halt' });
    await ofFirst('rollout', { action: 'cancel' });
    // The stage of the pilots does not reach them.
    await ofFirst('groups', { groupIds: [3, 4] });
    await harness.call(rolloutRoutes.haltRollout, { params: { pid, id } }, admin);
    await ofFirst('groups', { groupIds: [3, 4] });
    const resumed = await preview(id, 'rollout', { action: 'resume' });
    expect(resumed.bytes).toBe(resumed.changes.devices * text.length);
    expect(resumed).toMatchObject({ changes: coming.changes });
    await harness.call(rolloutRoutes.cancelRollout, { params: { pid, id } }, admin);
    await ofFirst('groups', { groupIds: [3, 4] });
  });

  it('then its stages are looked at also while the bytes of what is reserved are still to come', async () => {
    for (const who of people) await harness.user(who, groupsOf(who));
    const id = await fileOf('coming', [3]);
    const at = inMinutes(60);
    const none = [{ percent: 100, groupIds: [5] }, { percent: 100 }];
    const reserved = { updateReservationAt: at, fileName: 'coming.uap', fileSize: 100 };
    const reserve = async (body: object) =>
      harness.refused(fileRoutes.reserveUpdate, { params: { pid, id }, body: body as never }, admin);
    const opened = await reserve({ ...reserved, rollout: { stages: none } });
    if (!('uploadId' in opened.body)) throw new Error(JSON.stringify(opened.body));
    const { changes, previewToken } = await preview(id, 'reservation', {
      updateReservationAt: inMinutes(90),
    });
    expect(changes.users).toBe(0);
    const toAll = { updateReservationAt: at, rollout: null };
    expect(await preview(id, 'reservation', toAll)).toMatchObject({ changes: { users: 3 } });
    const first = [{ percent: 100, groupIds: [3] }, { percent: 100 }];
    expect(await preview(id, 'reservation', { ...toAll, rollout: { stages: first } })).toMatchObject({
      changes: { users: 3 },
    });
    // Its stages are others by now.
    await reserve({ updateReservationAt: at, rollout: { stages: first } });
    expect((await reserve({ updateReservationAt: inMinutes(90), previewToken })).body).toMatchObject(
      outdated,
    );
  });

  /** What each device has seen last. */
  let seen = new Map<string, number | undefined>();

  async function held(
    id: number,
    what: string,
    body: object,
    make: (previewToken: string) => Promise<{ status: number }>,
  ): Promise<void> {
    const before = await versions(id);
    const { changes, gains, loses, previewToken } = await preview(id, what, body);
    expect((await make(previewToken)).status).toBeLessThan(300);
    const after = await versions(id);
    seen = after;
    const of = (who: number) =>
      [...before.keys()]
        .filter((key) => key.startsWith(`${who} `))
        .map((key) => ({ had: before.get(key), has: after.get(key) }));
    const concern = (one: { had?: number | undefined; has?: number | undefined }[]) => {
      if (one.every(({ had }) => had === undefined) && one.some(({ has }) => has !== undefined))
        return 'gains';
      if (one.some(({ had }) => had !== undefined) && one.every(({ has }) => has === undefined))
        return 'loses';
      return one.some(({ had, has }) => had !== has) ? 'changes' : 'none';
    };
    const names = (wanted: string) =>
      people.filter((who) => concern(of(who)) === wanted).map((who) => `user ${who}`);
    expect([what, body, gains.names, loses.names, changes.names]).toEqual([
      what,
      body,
      names('gains'),
      names('loses'),
      names('changes'),
    ]);
    const each = [...before].map(([key, had]) => concern([{ had, has: after.get(key) }]));
    expect([gains.devices, loses.devices, changes.devices]).toEqual(
      ['gains', 'loses', 'changes'].map((wanted) => each.filter((one) => one === wanted).length),
    );
  }

  /** Of every device of everybody, by `person uuid`. */
  async function versions(id: number): Promise<Map<string, number | undefined>> {
    const all = await harness.sql<{ user_id: number; uuid: string }>(
      'SELECT user_id, uuid FROM devices WHERE partner_id = 1 AND user_id = ANY($1::integer[])',
      people,
    );
    const found = await Promise.all(
      all.map(async ({ user_id: accountId, uuid: platformUuid }) => {
        const actor = playerActor({ accountId, platformUuid });
        const reply = await harness.refused(fileRoutes.getDelivered, { params: { id } }, actor);
        return [`${accountId} ${platformUuid}`, (reply.body as { version?: number }).version] as const;
      }),
    );
    return new Map(found);
  }
});
