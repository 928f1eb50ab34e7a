import {
  deliveryRoutes,
  fileRoutes,
  formatDateTime,
  millisecondsOf,
  type rolloutPlan,
  rolloutRoutes,
  userEvents,
} from '@portal/contracts';
import { playerActor } from '@portal/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { nextStep, type Step } from '../src/receipts/domain/steps.ts';
import { placeOf, turned, turnOf } from '../src/rollouts/domain/place.ts';
import { admin, type FileHarness, startFileHarness } from './file-harness.ts';

/**
 * Who gets which version of a file, and every number of it, against a plain model that looks at each device by itself: over random
 * sequences of versions with and without stages, groups, halts, receipts, people who change their groups, time, and jobs that
 * come late.
 */
let harness: FileHarness;
const pid = 1;
const minute = 60_000;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  for (const id of [3, 4, 5]) await harness.group(id, `Group ${id}`);
});
afterAll(async () => harness.stop());

type Plan = z.input<typeof rolloutPlan>;
const after = fc.constantFrom(undefined, 'PT30M', 'PT1H', 'P1DT1H');
const plan: fc.Arbitrary<Plan> = fc
  .record({
    pilot: fc.option(fc.constantFrom(3, 4, 5)),
    first: fc.integer({ min: 5, max: 60 }),
    second: fc.integer({ min: 61, max: 95 }),
    waits: fc.tuple(after, after, after),
    halt: fc.option(
      fc.record({ failurePercent: fc.constantFrom(1, 50, 100), minReports: fc.integer({ min: 1, max: 3 }) }),
    ),
  })
  .map(({ first, halt, pilot, second, waits }) => ({
    stages: [
      ...(pilot === null ? [] : [{ percent: 50, groupIds: [pilot] }]),
      { percent: first },
      { percent: second },
      { percent: 100 },
    ].map((stage, index) => ({
      ...stage,
      ...(index > 0 && waits[index - 1] ? { after: waits[index - 1] } : {}),
    })),
    ...(halt ? { halt } : {}),
  }));
/** Every order in turn, or lists would be most of the time. */
const orderOf = (check: number) => {
  const { deliveryOrderKeys: keys } = deliveryRoutes;
  return {
    orderKey: keys[check % keys.length] ?? 'at',
    order: check % (2 * keys.length) < keys.length ? ('asc' as const) : ('desc' as const),
  };
};
let checks = 0;
const maybePlan = fc.oneof({ weight: 4, arbitrary: plan }, { weight: 1, arbitrary: fc.constant(undefined) });
const groupSets = fc.subarray([3, 4, 5]);
const people = [0, 1, 2, 3, 4];
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('release' as const), plan: maybePlan }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reserve' as const), plan: maybePlan }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unreserve' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('assign' as const),
      groupIds: groupSets,
      plan: fc.oneof(fc.constant(undefined), fc.constant(null), plan),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('do' as const),
      what: fc.constantFrom(
        'advance' as const,
        'advance' as const,
        'halt' as const,
        'resume' as const,
        'cancel' as const,
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('tell' as const),
      device: fc.nat(20),
      back: fc.constantFrom(0, 0, 0, 1),
      status: fc.constantFrom(
        'installed' as const,
        'failed' as const,
        'downloading' as const,
        'removed' as const,
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      minutes: fc.constantFrom(1, 15, 30, 60, 1500),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      person: fc.constantFrom(...people),
      groupIds: groupSets,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('device' as const), person: fc.constantFrom(...people) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('jobs' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

interface ModelRollout {
  readonly plan: Plan;
  readonly keeps: number[];
  state: 'open' | 'halted' | 'cancelled';
  begun: number;
  waitsFrom: number;
  round: number;
}
interface ModelVersion {
  rollout: ModelRollout | null;
}
interface ModelDevice {
  readonly uuid: string;
  readonly person: number;
  /** By version. */
  readonly known: Map<number, { step: Step | 'seen'; round: number | null }>;
  /** What its player has, by what it was told when it polled. */
  has: number;
  cursor: string | undefined;
}

let sequences = 0;

async function play(actions: readonly Action[]): Promise<void> {
  sequences += 1;
  const run = sequences;
  const userId = (person: number) => 1000 * run + person;
  const groupsOf = new Map<number, readonly number[]>();
  const devices: ModelDevice[] = [];
  const versions: ModelVersion[] = [];
  let assigned: readonly number[] = [];
  let reserved: { at: number; plan: Plan | undefined } | undefined;

  async function register(person: number): Promise<void> {
    const uuid = `run${run}-${devices.length}`;
    devices.push({ uuid, person, known: new Map(), has: 0, cursor: undefined });
    await harness.deliver(userEvents.deviceRegistered, {
      subject: uuid,
      partnerId: 1,
      data: { userId: userId(person), uuid, name: uuid, osType: '', osVersion: '', playerVersion: '' },
    });
  }
  for (const person of people) {
    const groupIds = [3 + (person % 3)];
    groupsOf.set(person, groupIds);
    await harness.user(userId(person), groupIds);
    // The last one has none.
    if (person < 4) await register(person);
  }
  const id = await harness.upload({ fileName: `model-${run}.uap` });
  versions.push({ rollout: null });

  /** What was told in the stages that a version had before counts in none of its later ones. */
  let rounds = 0;
  const nextRound = () => {
    rounds += 1000;
    return rounds;
  };

  const now = () => harness.clock.now().getTime();
  const current = () => versions.at(-1)?.rollout ?? null;
  const made = (of: Plan, keeps: readonly number[], round = 1): ModelRollout => ({
    plan: of,
    keeps: [...keeps],
    state: 'open',
    begun: 0,
    waitsFrom: 0,
    round,
  });

  /** Lets everything happen that comes by itself up to now, in its order. */
  function tick(): void {
    for (;;) {
      const rollout = current();
      const stage = rollout?.state === 'open' ? rollout.plan.stages[rollout.begun] : undefined;
      let due = Number.POSITIVE_INFINITY;
      if (rollout && stage && rollout.begun === 0 && assigned.length > 0) due = rollout.waitsFrom;
      if (rollout && stage?.after && rollout.begun > 0)
        due = rollout.waitsFrom + (millisecondsOf(stage.after) ?? 0);
      const live = reserved?.at ?? Number.POSITIVE_INFINITY;
      if (Math.min(due, live) > now()) return;
      if (live <= due) {
        const of = reserved?.plan;
        reserved = undefined;
        release(of, live);
      } else if (rollout) {
        rollout.begun += 1;
        rollout.waitsFrom = due;
      }
    }
  }
  function release(of: Plan | undefined, at: number): void {
    versions.push({ rollout: of ? { ...made(of, []), waitsFrom: at } : null });
  }

  const isAnyOf = (some: readonly number[], person: number) =>
    some.some((group) => groupsOf.get(person)?.includes(group));
  function percentFor(rollout: ModelRollout, person: number): number {
    const reached = rollout.plan.stages
      .slice(0, rollout.begun)
      .filter(({ groupIds }) => !groupIds || isAnyOf(groupIds, person));
    return Math.max(0, ...reached.map(({ percent }) => percent));
  }
  const wasReached = (version: number, person: number, uuid: string | null): boolean => {
    const rollout = versions[version - 1]?.rollout;
    if (!rollout || isAnyOf(rollout.keeps, person)) return true;
    const percent = percentFor(rollout, person);
    if (uuid === null) return percent === 100;
    return turned(placeOf(uuid), turnOf({ fileId: id, version })) < percent;
  };
  const statusOf = ({ known }: ModelDevice, version: number) => {
    const step = known.get(version)?.step;
    return step === undefined ? 'not_seen' : step === 'seen' ? 'seen' : step.status;
  };
  /** 0: none. */
  function versionOf(person: number, device: ModelDevice | null): number {
    if (!isAnyOf(assigned, person)) return 0;
    for (let version = versions.length; version > 0; version -= 1) {
      const rollout = versions[version - 1]?.rollout;
      if (!rollout || isAnyOf(rollout.keeps, person)) return version;
      const isIn =
        rollout.state === 'open'
          ? wasReached(version, person, device?.uuid ?? null)
          : device !== null && statusOf(device, version) === 'installed';
      if (isIn) return version;
    }
    return 0;
  }
  function reportsOf(version: number): { reports: number; failures: number } {
    const rollout = versions[version - 1]?.rollout;
    const told = devices
      .filter(({ known }) => known.get(version)?.round === rollout?.round)
      .map((device) => statusOf(device, version));
    return {
      reports: told.filter((status) => status === 'installed' || status === 'failed').length,
      failures: told.filter((status) => status === 'failed').length,
    };
  }
  const stateOf = ({ begun, plan: of, state }: ModelRollout) =>
    state !== 'open' ? state : begun === 0 ? 'waiting' : begun === of.stages.length ? 'done' : 'running';

  async function act(one: Action): Promise<void> {
    const params = { pid, id };
    switch (one.kind) {
      case 'release':
      case 'reserve': {
        // The bytes of any former version.
        if (versions.length < 2) {
          versions.push({ rollout: null });
          const upload = await harness.call(
            fileRoutes.updateFile,
            { params, body: { fileName: `model-${run}.uap`, fileSize: 7 } },
            admin,
          );
          if (!('signedUrl' in upload.body)) throw new Error(JSON.stringify(upload.body));
          await harness.put(upload.body.signedUrl, new TextEncoder().encode('package'));
          const { uploadId } = upload.body;
          await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
          return;
        }
        const at = Math.floor(now() / 1000) * 1000 + 20 * minute;
        const { body, status } = await harness.call(
          deliveryRoutes.restoreVersion,
          {
            params: { pid, id, version: versions.length - 1 },
            body: {
              ...(one.plan ? { rollout: one.plan } : {}),
              ...(one.kind === 'reserve' ? { updateReservationAt: formatDateTime(new Date(at)) } : {}),
            },
          },
          admin,
        );
        expect([status, body]).toEqual([201, { version: versions.length + 1 }]);
        if (one.kind === 'reserve') reserved = { at, plan: one.plan };
        else release(one.plan, now());
        return;
      }
      case 'unreserve':
        if (!reserved) return;
        expect((await harness.refused(fileRoutes.cancelUpdate, { params }, admin)).status).toBe(200);
        reserved = undefined;
        return;
      case 'assign': {
        const rollout = current();
        const isRefused =
          (one.plan === null && rollout?.state === 'cancelled') ||
          (one.plan && rollout && stateOf(rollout) !== 'done');
        const { body, status } = await harness.refused(
          fileRoutes.assignGroups,
          {
            params,
            body: { groupIds: one.groupIds, ...(one.plan === undefined ? {} : { rollout: one.plan }) },
          },
          admin,
        );
        if (isRefused) {
          expect(body).toMatchObject({ code: 'E40034', errors: [{ field: 'rollout' }] });
          return;
        }
        expect([status, body]).toEqual([200, {}]);
        const before = assigned;
        const added = one.groupIds.filter((group) => !before.includes(group));
        assigned = one.groupIds;
        const newest = versions.at(-1);
        if (!newest) throw new Error('No version');
        if (one.plan === null) newest.rollout = null;
        else if (one.plan) newest.rollout = { ...made(one.plan, before, nextRound()), waitsFrom: now() };
        else if (rollout) {
          for (const group of added) {
            const at = rollout.keeps.indexOf(group);
            if (at >= 0) rollout.keeps.splice(at, 1);
          }
        }
        const started = current();
        if (started?.begun === 0) started.waitsFrom = now();
        return;
      }
      case 'do': {
        const rollout = current();
        const routes = {
          halt: rolloutRoutes.haltRollout,
          resume: rolloutRoutes.resumeRollout,
          cancel: rolloutRoutes.cancelRollout,
        };
        const stage = (rollout?.begun ?? 0) + 1;
        const { body, status } = await (one.what === 'advance'
          ? harness.refused(
              rolloutRoutes.advanceRollout,
              { params, body: { stage: Math.min(stage, 10) } },
              admin,
            )
          : harness.refused(routes[one.what], { params }, admin));
        if (!rollout) {
          expect(body).toMatchObject({ code: 'E40401' });
          return;
        }
        const state = stateOf(rollout);
        const { failures, reports } = reportsOf(versions.length);
        const { halt } = rollout.plan;
        const isOver = halt && reports >= halt.minReports && failures * 100 >= halt.failurePercent * reports;
        const may = {
          advance: state === 'running' && !isOver,
          halt: state === 'running' || state === 'done',
          resume: state === 'halted',
          cancel: state !== 'cancelled',
        }[one.what];
        if (!may) {
          expect([one.what, state, body]).toMatchObject([one.what, state, { code: 'E40034' }]);
          return;
        }
        expect([one.what, state, status, body]).toMatchObject([one.what, state, 200, {}]);
        if (one.what === 'advance') {
          rollout.begun += 1;
          rollout.waitsFrom = now();
        } else if (one.what === 'resume') {
          rollout.state = 'open';
          rollout.waitsFrom = now();
          rollout.round += 1;
        } else rollout.state = one.what === 'halt' ? 'halted' : 'cancelled';
        return;
      }
      case 'tell': {
        const device = devices[one.device % devices.length];
        const version = versions.length - one.back;
        if (!device || version < 1) return;
        const at = new Date(Math.floor(now() / 1000) * 1000);
        const { body } = await harness.refused(
          deliveryRoutes.sendReceipt,
          { params: { id }, body: { version, status: one.status, at: formatDateTime(at) } },
          actorOf(device),
        );
        if (!isAnyOf(assigned, device.person) && device.known.size === 0) {
          expect(body).toMatchObject({ code: 'E40405' });
          return;
        }
        if (!device.known.has(version) && !wasReached(version, device.person, device.uuid)) {
          expect(body).toMatchObject({ code: 'E40002', errors: [{ field: 'version' }] });
          return;
        }
        expect(body).toEqual({});
        const stood = device.known.get(version)?.step;
        const last = stood === 'seen' ? undefined : stood;
        const next = nextStep(last, {
          status: one.status,
          at,
          progress: null,
          reason: null,
          toldBy: 'player',
        });
        if (next === last) return;
        const rollout = versions[version - 1]?.rollout;
        device.known.set(version, { step: next, round: rollout && rollout.begun > 0 ? rollout.round : null });
        if (next.status === last?.status || version < versions.length || rollout?.state !== 'open') return;
        const { failures, reports } = reportsOf(version);
        const { halt } = rollout.plan;
        if (halt && reports >= halt.minReports && failures * 100 >= halt.failurePercent * reports)
          rollout.state = 'halted';
        return;
      }
      case 'wait':
        harness.clock.advance(one.minutes * minute);
        return;
      case 'move':
        groupsOf.set(one.person, one.groupIds);
        await harness.user(userId(one.person), [...one.groupIds]);
        return;
      case 'device':
        if (devices.length < 9) await register(one.person);
        return;
      case 'jobs':
        await harness.runJobs();
    }
  }

  const actorOf = ({ person, uuid }: ModelDevice) =>
    playerActor({ accountId: userId(person), platformUuid: uuid });

  /** The player takes what it is told, and has what the model says. */
  async function poll(device: ModelDevice): Promise<void> {
    const query = { perPage: 100, ...(device.cursor ? { since: device.cursor } : {}) };
    const { body } = await harness.call(fileRoutes.listDelivered, { query }, actorOf(device));
    const told = body.files.find((file) => file.id === id);
    if (body.removedIds.includes(id)) device.has = 0;
    if (told) {
      device.has = told.version;
      if (!device.known.has(told.version)) device.known.set(told.version, { step: 'seen', round: null });
    }
    device.cursor = body.cursor;
    expect([device.uuid, device.has]).toEqual([device.uuid, versionOf(device.person, device)]);
  }

  async function check(): Promise<void> {
    for (const device of devices) await poll(device);
    const rows = devices.map((device) => ({ device, version: versionOf(device.person, device) }));
    const { body } = await harness.call(deliveryRoutes.getDelivery, { params: { pid, id } }, admin);
    const isReached = assigned.length > 0;
    const expected = versions.flatMap((_, index) => {
      const version = index + 1;
      const of = rows.filter((row) => row.version === version);
      const users = people.filter((person) => {
        const own = rows.filter((row) => row.device.person === person);
        return own.length > 0
          ? own.some((row) => row.version === version)
          : versionOf(person, null) === version;
      });
      const states = of.reduce<Record<string, number>>((all, row) => {
        const state = statusOf(row.device, version);
        return { ...all, [state]: (all[state] ?? 0) + 1 };
      }, {});
      const shown = isReached && (version === versions.length || users.length > 0);
      return shown ? [{ version, users: users.length, devices: of.length, states }] : [];
    });
    expect(
      body.versions.map(({ states: { notSeen, ...told }, targeted, version }) => ({
        version,
        ...targeted,
        states: Object.fromEntries(
          Object.entries({ not_seen: notSeen, ...told }).filter(([, count]) => count !== 0),
        ),
      })),
    ).toEqual(expected.reverse());
    checks += 1;
    const list = await harness.call(
      deliveryRoutes.listDeliveryDevices,
      { params: { pid, id }, query: { perPage: 100, ...orderOf(checks) } },
      admin,
    );
    expect(
      list.body.devices.map(({ device, status, version }) => [device.uuid, version, status]).sort(),
    ).toEqual(
      rows
        .filter(({ version }) => version > 0)
        .map(({ device, version }) => [device.uuid, version, statusOf(device, version)])
        .sort(),
    );
    const rollout = current();
    const shown = await harness.refused(rolloutRoutes.getRollout, { params: { pid, id } }, admin);
    expect(shown.body).toMatchObject(
      rollout
        ? { state: stateOf(rollout), stage: rollout.begun, ...reportsOf(versions.length) }
        : { code: 'E40401' },
    );
  }

  for (const [index, one] of actions.entries()) {
    tick();
    await act(one);
    tick();
    if (index % 2 === 1 || index === actions.length - 1) await check();
  }
  // The next sequence is of others.
  for (const person of people) await harness.user(userId(person), []);
}

/** A group is added in stages to a version that everyone had, while the one before never got beyond its pilots: it gets neither. */
const belowOneForAll: Action[] = [
  { kind: 'release', plan: undefined },
  { kind: 'release', plan: { stages: [{ percent: 50, groupIds: [4] }, { percent: 100 }] } },
  { kind: 'release', plan: undefined },
  { kind: 'assign', groupIds: [3, 4, 5], plan: { stages: [{ percent: 1 }, { percent: 100 }] } },
  { kind: 'jobs' },
  { kind: 'do', what: 'advance' },
];
/** Who keeps a halted version is known by the job: of what is told and changes after that, triggers tell. */
const keptAfterHalt: Action[] = [
  { kind: 'device', person: 0 },
  { kind: 'device', person: 3 },
  { kind: 'release', plan: { stages: [{ percent: 95 }, { percent: 100 }] } },
  { kind: 'tell', device: 0, back: 0, status: 'installed' },
  { kind: 'tell', device: 1, back: 0, status: 'installed' },
  { kind: 'tell', device: 3, back: 1, status: 'failed' },
  { kind: 'do', what: 'halt' },
  { kind: 'jobs' },
  { kind: 'tell', device: 3, back: 0, status: 'installed' },
  { kind: 'tell', device: 0, back: 1, status: 'downloading' },
  { kind: 'tell', device: 1, back: 0, status: 'removed' },
  { kind: 'move', person: 1, groupIds: [3, 5] },
  { kind: 'tell', device: 1, back: 0, status: 'installed' },
  { kind: 'device', person: 0 },
  { kind: 'release', plan: { stages: [{ percent: 60 }, { percent: 100 }] } },
  { kind: 'tell', device: 3, back: 0, status: 'installed' },
  { kind: 'tell', device: 0, back: 0, status: 'installed' },
  { kind: 'do', what: 'halt' },
  { kind: 'move', person: 3, groupIds: [5] },
  { kind: 'jobs' },
  { kind: 'move', person: 3, groupIds: [4] },
  { kind: 'do', what: 'resume' },
  { kind: 'jobs' },
];
const examples: [Action[]][] = [[belowOneForAll], [keptAfterHalt]];

describe('Whatever becomes of a file and of its stages', () => {
  it('then each device has the version that a plain model gives it, and every number is that of the model', async () => {
    const start = (actions: readonly Action[]): Action[] => [
      { kind: 'assign', groupIds: [3, 4], plan: undefined },
      { kind: 'release', plan: undefined },
      ...actions,
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 6, maxLength: 24 }), async (actions) =>
        play(start(actions)),
      ),
      { numRuns: examples.length + Number(process.env['MODEL_RUNS'] ?? 3), endOnFailure: true, examples },
    );
  }, 600_000);
});
