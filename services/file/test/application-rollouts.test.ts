import {
  applicationRoutes,
  deliveryRoutes,
  fileRoutes,
  formatDateTime,
  type RouteRequest,
  rolloutRoutes,
  userEvents,
} from '@portal/contracts';
import { adminActor, partnerActor, playerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeOf, turned, turnOf } from '../src/rollouts/domain/place.ts';
import { type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

/** Versions of applications in stages: their publisher's, over all tenants that have them. */
let harness: FileHarness;
const platform = adminActor();
const ofUnit = (unitId: number) => adminActor({ adminId: 20 + unitId, role: 63, unitId });
type Actor = typeof platform;
const hour = 3_600_000;

/** Six people in each of two tenants, each with a device; half of them are in the group that the tenant has. */
const people = [1, 2].flatMap((partnerId) =>
  Array.from({ length: 6 }, (_, index) => ({
    partnerId,
    userId: partnerId * 100 + index,
    uuid: `device-${partnerId}-${index}`,
    inGroup: index < 3,
  })),
);
type Person = (typeof people)[number];
const groupOf = (partnerId: number) => partnerId * 10;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1, 0, { unitId: 1, name: 'Alpha' });
  await harness.partner(2, 0, { unitId: 1, name: 'Beta' });
  await harness.partner(3, 0, { unitId: 2, name: 'Gamma' });
  for (const partnerId of [1, 2]) await harness.group(groupOf(partnerId), 'Sales', partnerId);
  for (const person of people) {
    await harness.user(person.userId, person.inGroup ? [groupOf(person.partnerId)] : [], person.partnerId);
    await register(person);
  }
  harness.forcing.add(1);
});
afterAll(async () => harness.stop());

async function register({ partnerId, userId, uuid }: Pick<Person, 'partnerId' | 'userId' | 'uuid'>) {
  await harness.deliver(userEvents.deviceRegistered, {
    subject: uuid,
    partnerId,
    data: { userId, uuid, name: uuid, osType: 'ios', osVersion: '1', playerVersion: '1' },
  });
}

type Change = RouteRequest<typeof applicationRoutes.updateApplication>['body'];
const inMs = (ms: number) => formatDateTime(new Date(harness.clock.now().getTime() + ms));
const player = ({ partnerId, userId, uuid }: Person) =>
  playerActor({ partnerId, accountId: userId, platformUuid: uuid });

let names = 0;
async function publish({
  actor = platform,
  isComplete = true,
  saleType = 1 as 1 | 2,
  partnerIds = [1, 2],
} = {}) {
  names += 1;
  const fileName = `staged${names}.uap`;
  const bytes = someBytes('the first version');
  const { body, status } = await harness.call(
    applicationRoutes.createApplication,
    { body: { name: `Staged ${names}`, saleType, fileName, fileSize: bytes.length, partnerIds } },
    actor,
  );
  if (status !== 201) throw new Error(JSON.stringify(body));
  if (isComplete) await send(body, bytes, actor);
  return { id: body.id, fileName };
}
async function send(opened: object, bytes: Uint8Array, actor: Actor): Promise<void> {
  if (!('signedUrl' in opened && 'uploadId' in opened)) throw new Error(JSON.stringify(opened));
  await harness.put(String(opened.signedUrl), bytes);
  const params = { uploadId: String(opened.uploadId) };
  const done = await harness.call(fileRoutes.completeUpload, { params, body: { parts: [] } }, actor);
  if (done.status !== 200) throw new Error(JSON.stringify(done.body));
}
const change = async (id: number, body: Change, actor: Actor = platform) =>
  harness.refused(applicationRoutes.updateApplication, { params: { id }, body }, actor);
/** New bytes. */
async function replace(of: { id: number; fileName: string }, rollout: Change['rollout'], actor = platform) {
  const bytes = someBytes(`another ${Math.random()}`);
  const { body } = await change(of.id, { fileName: of.fileName, fileSize: bytes.length, rollout }, actor);
  await send(Object(body), bytes, actor);
}
const restore = async (id: number, version: number, body: object = {}, actor: Actor = platform) =>
  harness.refused(deliveryRoutes.restoreApplicationVersion, { params: { id, version }, body }, actor);
const rollout = async (id: number, actor: Actor = platform) =>
  harness.refused(rolloutRoutes.getApplicationRollout, { params: { id } }, actor);
const advance = async (id: number, stage: number, actor: Actor = platform) =>
  harness.refused(rolloutRoutes.advanceApplicationRollout, { params: { id }, body: { stage } }, actor);
const act = async (action: 'halt' | 'resume' | 'cancel', id: number, actor: Actor = platform) => {
  const routes = {
    halt: rolloutRoutes.haltApplicationRollout,
    resume: rolloutRoutes.resumeApplicationRollout,
    cancel: rolloutRoutes.cancelApplicationRollout,
  };
  return harness.refused(routes[action], { params: { id } }, actor);
};
const tell = async (person: Person, id: number, version: number, status = 'installed', reason?: string) =>
  harness.refused(
    deliveryRoutes.sendReceipt,
    { params: { id }, body: { version, status, at: inMs(0), ...(reason ? { reason } : {}) } as never },
    player(person),
  );
const check = async (person: Person, since?: string) => {
  const query = { perPage: 100, ...(since === undefined ? {} : { since }) };
  return (await harness.call(fileRoutes.listDelivered, { query }, player(person))).body;
};
const versionOf = async (person: Person, id: number) =>
  (await check(person)).files.find((file) => file.id === id)?.version ?? 0;
const versions = async (id: number) => Promise.all(people.map(async (person) => versionOf(person, id)));
const within = (id: number, version: number, percent: number) =>
  people.map(({ uuid }) => turned(placeOf(uuid), turnOf({ fileId: id, version })) < percent);
const numbers = async (pid: number, id: number) =>
  (await harness.call(deliveryRoutes.getDelivery, { params: { pid, id } }, partnerActor({ partnerId: pid })))
    .body;
const eventsOf = async (type: string, id: number) =>
  (await harness.events(type)).filter(({ subject }) => subject === String(id));

describe('When a version of an application goes out in stages', () => {
  it('then in every tenant those in the stage get it, all others keep the one before, and numbers say so', async () => {
    const app = await publish();
    const { id } = app;
    expect((await rollout(id)).body).toMatchObject({ code: 'E40401' });
    await replace(app, { stages: [{ percent: 40 }, { percent: 100 }] });
    const isIn = within(id, 2, 40);
    expect(await versions(id)).toEqual(isIn.map((is) => (is ? 2 : 1)));
    expect((await rollout(id)).body).toMatchObject({
      version: 2,
      state: 'running',
      stage: 1,
      percent: 40,
      stages: [
        { percent: 40, startedAt: inMs(0) },
        { percent: 100, dueAt: null },
      ],
    });
    for (const pid of [1, 2]) {
      const devices = people.filter(({ partnerId }, index) => partnerId === pid && isIn[index]).length;
      const shown = await numbers(pid, id);
      expect(shown).toMatchObject({ version: 2, targeted: { users: devices, devices } });
      expect(shown.versions.map(({ targeted, version }) => [version, targeted.devices])).toEqual([
        [2, devices],
        [1, 6 - devices],
      ]);
      const list = await harness.call(
        deliveryRoutes.listDeliveryDevices,
        { params: { pid, id }, query: { perPage: 100, orderKey: 'version' } },
        partnerActor({ partnerId: pid }),
      );
      expect(list.body.devices.filter(({ version }) => version === 2).length).toBe(devices);
      const files = await harness.call(
        fileRoutes.listFiles,
        { params: { pid }, query: { perPage: 100 } },
        partnerActor({ partnerId: pid }),
      );
      expect(files.body.files.find((file) => file.id === id)).toMatchObject({ delivery: { devices } });
    }
    const rows = await harness.call(
      deliveryRoutes.listApplicationVersions,
      { params: { id }, query: {} },
      platform,
    );
    expect(rows.body.versions).toMatchObject([
      { version: 2, rollout: { state: 'running', stage: 1 } },
      { version: 1, rollout: null },
    ]);
    // Added up they are the publisher's.
    const inAll = isIn.filter(Boolean).length;
    const first = people.find((_, index) => isIn[index]);
    if (first) await tell(first, id, 2, 'failed', 'No room');
    const { body: summed } = await harness.call(
      deliveryRoutes.getApplicationDelivery,
      { params: { id }, query: { perPage: 1, page: 2 } },
      platform,
    );
    expect(summed).toMatchObject({
      version: 2,
      targeted: { users: inAll, devices: inAll },
      states: { failed: 1, seen: inAll - 1, notSeen: 0 },
      failureReasons: [{ reason: 'No room', count: 1 }],
      versions: [{ version: 2 }, { version: 1, targeted: { devices: 12 - inAll } }],
      totalCount: 2,
    });
    const ofBeta = await numbers(2, id);
    expect(summed.partners).toMatchObject([
      { id: 2, name: 'Beta', targeted: ofBeta.targeted, states: ofBeta.states },
    ]);

    expect((await advance(id, 2)).body).toMatchObject({ state: 'done', stage: 2, percent: 100 });
    expect(await versions(id)).toEqual(people.map(() => 2));
    // Their events are of no tenant, and say who publishes it.
    expect(await eventsOf('file.rollout_advanced', id)).toMatchObject([
      {
        partnerid: null,
        data: { fileId: id, version: 2, stage: 1, isLast: false, publisher: { unitId: null } },
      },
      { partnerid: null, data: { stage: 2, isLast: true } },
    ]);
  });

  it('then its times come without anybody writing, in every tenant, and a player hears of what changes for it alone', async () => {
    const app = await publish({ actor: ofUnit(1) });
    const { id } = app;
    await replace(app, undefined, ofUnit(1));
    const plan = { stages: [{ percent: 30 }, { percent: 100, after: 'PT1H' }] };
    expect((await restore(id, 1, { rollout: plan }, ofUnit(1))).body).toEqual({ version: 3 });
    const isIn = within(id, 3, 30);
    expect(await versions(id)).toEqual(isIn.map((is) => (is ? 3 : 2)));
    const cursors = await Promise.all(people.map(async (person) => (await check(person)).cursor));
    harness.clock.advance(hour - 1000);
    expect(await versions(id)).toEqual(isIn.map((is) => (is ? 3 : 2)));
    harness.clock.advance(1000);
    for (const [index, person] of people.entries()) {
      const { files, removedIds } = await check(person, cursors[index]);
      expect([files.map((file) => [file.id, file.version]), removedIds]).toEqual([
        isIn[index] ? [] : [[id, 3]],
        [],
      ]);
    }
    expect((await rollout(id, ofUnit(1))).body).toMatchObject({ state: 'done', stage: 2 });
    await harness.runJobs();
    expect(await eventsOf('file.rollout_advanced', id)).toMatchObject([
      { data: { version: 3, stage: 1, publisher: { unitId: 1 } } },
      { data: { version: 3, stage: 2, isLast: true } },
    ]);
  });

  it('then of an offer those in the groups of its tenant get it, as far as its stages are', async () => {
    const app = await publish({ saleType: 2 });
    const { id } = app;
    await replace(app, { stages: [{ percent: 50 }, { percent: 100 }] });
    expect(await versions(id)).toEqual(people.map(() => 0));
    const assigned = await harness.refused(
      fileRoutes.assignGroups,
      { params: { pid: 2, id }, body: { groupIds: [groupOf(2)], notifyEmail: true } },
      partnerActor({ partnerId: 2 }),
    );
    expect(assigned.status).toBe(200);
    const isIn = within(id, 2, 50);
    const expected = people.map(({ inGroup, partnerId }, index) =>
      partnerId === 2 && inGroup ? (isIn[index] ? 2 : 1) : 0,
    );
    expect(await versions(id)).toEqual(expected);
    expect((await numbers(2, id)).targeted.devices).toBe(expected.filter((one) => one === 2).length);
    // The stages are its publisher's.
    const own = await harness.refused(
      fileRoutes.assignGroups,
      { params: { pid: 2, id }, body: { groupIds: [groupOf(2)], rollout: { stages: [{ percent: 100 }] } } },
      partnerActor({ partnerId: 2 }),
    );
    expect(own.body).toMatchObject({ code: 'E40301' });
    const asked = await harness.refused(
      rolloutRoutes.getRollout,
      { params: { pid: 2, id } },
      partnerActor({ partnerId: 2 }),
    );
    expect(asked.body).toMatchObject({ code: 'E40301' });
    expect((await act('cancel', id)).body).toMatchObject({ state: 'cancelled' });
    expect(await versions(id)).toEqual(expected.map((one) => (one === 2 ? 1 : one)));
  });
});

describe('When the first bytes of an offer go out in stages', () => {
  it('then its tenant has people told, each once, as the stages reach them', async () => {
    const app = await publish({ isComplete: false, saleType: 2 });
    const { id } = app;
    await replace(app, { stages: [{ percent: 50 }, { percent: 100 }] });
    const assign = async (body: object) =>
      harness.refused(
        fileRoutes.assignGroups,
        { params: { pid: 2, id }, body: { groupIds: [groupOf(2)], ...body } },
        partnerActor({ partnerId: 2 }),
      );
    const toldOf = async () => {
      await harness.runJobs();
      await harness.runJobs();
      const events = (await eventsOf('file.delivered', id)) as {
        partnerid: number;
        data: { groupIds: number[]; userIds?: number[]; notifyEmail: boolean; notifyPush: boolean };
      }[];
      const told = events.filter(({ data }) => data.notifyEmail);
      expect(told.every(({ partnerid, data }) => partnerid === 2 && !data.notifyPush)).toBe(true);
      return {
        people: told.flatMap(({ data }) => data.userIds ?? []).sort((a, b) => a - b),
        groups: told.flatMap(({ data }) => data.groupIds),
      };
    };
    const isIn = within(id, 1, 50);
    const reached = people.flatMap(({ inGroup, partnerId, userId }, index) =>
      partnerId === 2 && inGroup && isIn[index] ? [userId] : [],
    );

    expect((await assign({ notifyEmail: true })).status).toBe(200);
    expect(await toldOf()).toEqual({ people: reached, groups: [] });
    // Asked for again: nobody is told twice.
    expect((await assign({ notifyEmail: true })).status).toBe(200);
    expect(await toldOf()).toEqual({ people: reached, groups: [] });
    // Once it reaches all, the group is told; who was told by themselves is known by file and person.
    expect((await advance(id, 2)).status).toBe(200);
    expect(await toldOf()).toEqual({ people: reached, groups: [groupOf(2)] });
    expect(await toldOf()).toEqual({ people: reached, groups: [groupOf(2)] });
    for (const table of ['tellings', 'told_people'])
      expect(await harness.sql(`SELECT FROM ${table} WHERE file_id = $1`, id)).toEqual([]);
  });

  it('then nobody is told whose tenant asks no more, or has the offer no more', async () => {
    const app = await publish({ isComplete: false, saleType: 2, partnerIds: [2] });
    const { id } = app;
    await replace(app, { stages: [{ percent: 1 }, { percent: 100 }] });
    const assign = async (notifyEmail?: boolean) =>
      harness.refused(
        fileRoutes.assignGroups,
        { params: { pid: 2, id }, body: { groupIds: [groupOf(2)], notifyEmail } },
        partnerActor({ partnerId: 2 }),
      );
    const tellings = async () => harness.sql('SELECT FROM tellings WHERE file_id = $1', id);
    expect((await assign(true)).status).toBe(200);
    expect(await tellings()).toHaveLength(1);
    expect((await assign()).status).toBe(200);
    expect(await tellings()).toHaveLength(1);
    expect((await assign(false)).status).toBe(200);
    expect(await tellings()).toEqual([]);
    expect((await assign(true)).status).toBe(200);
    expect((await change(id, { partnerIds: [1] })).status).toBe(200);
    await harness.runJobs();
    await harness.runJobs();
    expect(await tellings()).toEqual([]);
  });
});

describe('When too many devices of all tenants fail', () => {
  const halting = { failurePercent: 50, minReports: 4 };

  it('then it halts with the receipt that reaches the limit, for all tenants', async () => {
    const app = await publish();
    const { id } = app;
    await replace(app, { stages: [{ percent: 99 }, { percent: 100 }], halt: halting });
    const isIn = within(id, 2, 99);
    const of = (partnerId: number) =>
      people.filter((one, index) => one.partnerId === partnerId && isIn[index]);
    const [a, b, c] = of(1);
    const [d, e, f] = of(2);
    if (!a || !b || !c || !d || !e || !f) throw new Error('Too few are in');
    const address = async (person: Person) =>
      (await harness.call(fileRoutes.getDelivered, { params: { id } }, player(person))).body.signedUrl;
    const url = await address(f);
    expect((await harness.get(url)).status).toBe(200);
    const { cursor } = await check(f);
    expect((await tell(a, id, 2)).status).toBe(200);
    expect((await tell(d, id, 2, 'failed')).status).toBe(200);
    expect((await tell(e, id, 2)).status).toBe(200);
    expect((await rollout(id)).body).toMatchObject({ state: 'running', reports: 3, failures: 1 });
    expect((await tell(b, id, 2, 'failed')).status).toBe(200);
    expect((await rollout(id)).body).toMatchObject({
      state: 'halted',
      reports: 4,
      failures: 2,
      haltedBy: null,
    });
    expect(await versions(id)).toEqual(people.map((one) => (one === a || one === e ? 2 : 1)));
    const told = await check(f, cursor);
    expect(told.files.map((file) => [file.id, file.version])).toEqual([[id, 1]]);
    expect((await harness.get(url)).status).toBe(404);
    expect(await eventsOf('file.rollout_halted', id)).toMatchObject([
      { partnerid: null, data: { reports: 4, failures: 2, haltedBy: null, publisher: { unitId: null } } },
    ]);
    // Who installs it late keeps it, too, and is told so.
    const late = (await check(c)).cursor;
    expect((await tell(c, id, 2)).status).toBe(200);
    expect((await check(c, late)).files.map((file) => [file.id, file.version])).toEqual([[id, 2]]);
    expect((await numbers(1, id)).targeted.devices).toBe(2);
    expect((await numbers(2, id)).targeted.devices).toBe(1);

    expect((await advance(id, 2)).body).toMatchObject({ code: 'E40034' });
    expect((await act('resume', id)).body).toMatchObject({ state: 'running', reports: 0, failures: 0 });
    expect(await versions(id)).toEqual(isIn.map((is) => (is ? 2 : 1)));
    expect((await act('halt', id)).body).toMatchObject({
      state: 'halted',
      haltedBy: { id: platform.id, name: `Administrator ${platform.id}` },
    });
    expect((await act('halt', id)).body).toMatchObject({ code: 'E40034' });
    expect((await restore(id, 1)).body).toEqual({ version: 3 });
    expect(await versions(id)).toEqual(people.map(() => 3));
    expect((await rollout(id)).body).toMatchObject({ code: 'E40401' });
  });

  it('then it halts once, whatever tenants tell at the same moment, and no report is lost', async () => {
    const app = await publish();
    const { id } = app;
    await replace(app, { stages: [{ percent: 100 }], halt: { failurePercent: 100, minReports: 12 } });
    const replies = await Promise.all(people.map(async (person) => tell(person, id, 2, 'failed')));
    expect(replies.map(({ status }) => status)).toEqual(people.map(() => 200));
    expect((await rollout(id)).body).toMatchObject({ state: 'halted', reports: 12, failures: 12 });
    expect((await eventsOf('file.rollout_halted', id)).length).toBe(1);
    expect(await versions(id)).toEqual(people.map(() => 1));
  });

  it('then what a device told before its sign-in was known counts as well', async () => {
    const app = await publish();
    const { id } = app;
    await replace(app, { stages: [{ percent: 100 }], halt: { failurePercent: 1, minReports: 1 } });
    const early = { partnerId: 2, userId: 200, uuid: 'early', inGroup: true };
    expect((await tell(early, id, 2, 'failed')).status).toBe(200);
    expect((await rollout(id)).body).toMatchObject({ state: 'done', reports: 0 });
    await register(early);
    expect((await rollout(id)).body).toMatchObject({ state: 'halted', reports: 1, failures: 1 });
    await harness.deliver(userEvents.deviceRemoved, {
      subject: 'early',
      partnerId: 2,
      data: { userId: 200, uuid: 'early' },
    });
    expect((await rollout(id)).body).toMatchObject({ state: 'halted', reports: 0, failures: 0 });
  });

  it('then a tenant counts, and changes nothing else of the stages', async () => {
    const app = await publish();
    await replace(app, { stages: [{ percent: 10 }, { percent: 100 }] });
    const asTenant = (set: string) =>
      harness.sql(`
        WITH tenant AS MATERIALIZED (SELECT set_config('app.scope', 'partner 1', true))
        UPDATE rollouts SET ${set} FROM tenant WHERE file_id = ${app.id} RETURNING 1`);
    await expect(asTenant(`state = 'ended'`)).rejects.toThrow('A tenant counts');
    await expect(asTenant('reports = reports + 1')).resolves.toBeDefined();
  });
});

describe('What is refused of the stages of an application', () => {
  it('is a pilot group, a plan without bytes, a wrong form, on its path', async () => {
    const app = await publish();
    const { id } = app;
    await replace(app, undefined);
    const ask = async (method: 'POST' | 'PUT', path: string, payload: object) => {
      const { body, status } = await harness.raw({
        method,
        url: `/v1/admin/applications/${id}${path}`,
        actor: platform,
        payload: JSON.stringify(payload),
      });
      const { code, errors = [] } = Object(body);
      return [status, code, ...errors.map(({ field }: { field: string }) => field)];
    };
    const bytes = { file_name: app.fileName, file_size: 3 };
    const pilots = { stages: [{ percent: 50 }, { percent: 50, group_ids: [10] }, { percent: 100 }] };
    const faults = [
      [pilots, 'rollout.stages.1.group_ids'],
      [{ stages: [{ percent: 100, group_ids: [10] }] }, 'rollout.stages.0.group_ids'],
      [{ stages: [{ percent: 50 }] }, 'rollout.stages'],
      [{ stages: [{ percent: 0 }, { percent: 100 }] }, 'rollout.stages.0.percent'],
      [
        { stages: [{ percent: 100 }], halt: { failure_percent: 0, min_reports: 1 } },
        'rollout.halt.failure_percent',
      ],
    ] as const;
    for (const [plan, field] of faults) {
      expect(await ask('PUT', '', { ...bytes, rollout: plan })).toEqual([400, 'E40002', field]);
      expect(await ask('POST', '/versions/1/restore', { rollout: plan })).toEqual([400, 'E40002', field]);
    }
    expect(await ask('PUT', '', { rollout: { stages: [{ percent: 100 }] } })).toEqual([
      400,
      'E40003',
      'file_name',
      'file_size',
    ]);
    expect(await ask('POST', '/rollout/advance', {})).toEqual([400, 'E40003', 'stage']);
    expect((await rollout(id)).body).toMatchObject({ code: 'E40401' });
    expect((await advance(id, 2)).body).toMatchObject({ code: 'E40401' });
  });

  it('is what another unit, a tenant, or somebody without the right asks for', async () => {
    const app = await publish({ actor: ofUnit(1) });
    const { id } = app;
    await replace(app, { stages: [{ percent: 10 }, { percent: 100 }] }, ofUnit(1));
    const all = (actor: Actor) =>
      Promise.all([
        rollout(id, actor),
        harness.refused(deliveryRoutes.getApplicationDelivery, { params: { id }, query: {} }, actor),
        advance(id, 2, actor),
        act('halt', id, actor),
        act('resume', id, actor),
        act('cancel', id, actor),
      ]);
    for (const { body } of await all(ofUnit(2))) expect(body).toMatchObject({ code: 'E40405' });
    for (const { body } of await all(adminActor({ adminId: 9, role: 1 }))) {
      expect(body).toMatchObject({ code: 'E40301' });
    }
    for (const { body, status } of await all(partnerActor())) {
      expect([status, body]).toMatchObject([401, { code: 'E40102' }]);
    }
    for (const stage of [1, 3]) {
      expect((await advance(id, stage, ofUnit(1))).body).toMatchObject({ code: 'E40034' });
    }
    expect((await act('resume', id, ofUnit(1))).body).toMatchObject({ code: 'E40034' });
    // A unit that may not deliver any more stops what it began, and no more.
    harness.forcing.delete(1);
    expect((await advance(id, 2, ofUnit(1))).body).toMatchObject({ code: 'E40301' });
    expect((await act('halt', id, ofUnit(1))).body).toMatchObject({ state: 'halted' });
    expect((await act('resume', id, ofUnit(1))).body).toMatchObject({ code: 'E40301' });
    harness.forcing.add(1);
    expect((await act('resume', id, ofUnit(1))).body).toMatchObject({ state: 'running' });
    expect((await rollout(999_999)).body).toMatchObject({ code: 'E40405' });
    // A file of a tenant is no application.
    const file = await harness.upload({ fileName: 'own.ufpz' });
    expect((await rollout(file)).body).toMatchObject({ code: 'E40405' });
  });
});
