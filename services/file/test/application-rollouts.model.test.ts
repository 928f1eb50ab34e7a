import {
  applicationRoutes,
  deliveryRoutes,
  fileRoutes,
  formatDateTime,
  millisecondsOf,
  type RolloutPlan,
  rolloutRoutes,
  userEvents,
} from '@portal/contracts';
import { adminActor, partnerActor, playerActor } from '@portal/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextStep, type Step } from '../src/receipts/domain/steps.ts';
import { placeOf, turned, turnOf } from '../src/rollouts/domain/place.ts';
import { type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

/**
 * Who gets which version of an application, and what is counted of it in each tenant and over all of them, against a plain model
 * that looks at each device by itself: over random sequences of versions with and without stages, destinations, groups, halts, receipts,
 * time and jobs that come late.
 */
let harness: FileHarness;
const platform = adminActor();
const minute = 60_000;
const tenants = [1, 2] as const;
type Tenant = (typeof tenants)[number];
const groupOf = (tenant: number) => tenant * 10;

interface ModelDevice {
  readonly tenant: Tenant;
  readonly userId: number;
  readonly uuid: string;
  readonly inGroup: boolean;
  cursor: string | undefined;
  has: number;
  /** What is known of each version; `round`: that of its rollout. */
  known: Map<number, { step: Step | 'seen'; round: number | null }>;
}
const people = tenants.flatMap((tenant) =>
  [0, 1, 2].map((index) => ({
    tenant,
    userId: tenant * 100 + index,
    uuid: `device-${tenant}-${index}`,
    inGroup: index < 2,
  })),
);

beforeAll(async () => {
  harness = await startFileHarness();
  for (const tenant of tenants) {
    await harness.partner(tenant, 0, { unitId: 1, name: `Tenant ${tenant}` });
    await harness.group(groupOf(tenant), 'Group', tenant);
  }
  for (const { inGroup, tenant, userId, uuid } of people) {
    await harness.user(userId, inGroup ? [groupOf(tenant)] : [], tenant);
    await harness.deliver(userEvents.deviceRegistered, {
      subject: uuid,
      partnerId: tenant,
      data: { userId, uuid, name: uuid, osType: '', osVersion: '', playerVersion: '' },
    });
  }
});
afterAll(async () => harness.stop());

const after = fc.constantFrom(undefined, 'PT30M', 'PT1H');
const plan: fc.Arbitrary<RolloutPlan> = fc
  .record({
    first: fc.integer({ min: 5, max: 60 }),
    second: fc.integer({ min: 61, max: 95 }),
    waits: fc.tuple(after, after),
    halt: fc.option(
      fc.record({ failurePercent: fc.constantFrom(1, 50, 100), minReports: fc.integer({ min: 1, max: 3 }) }),
    ),
  })
  .map(({ first, halt, second, waits: [one, two] }) => ({
    stages: [
      { percent: first },
      { percent: second, ...(one ? { after: one } : {}) },
      { percent: 100, ...(two ? { after: two } : {}) },
    ],
    ...(halt ? { halt } : {}),
  }));
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('release' as const), plan: fc.option(plan, { freq: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('do' as const),
      what: fc.constantFrom('advance' as const, 'halt' as const, 'resume' as const, 'cancel' as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('tell' as const),
      device: fc.nat(people.length - 1),
      back: fc.constantFrom(0, 0, 0, 1),
      status: fc.constantFrom('installed' as const, 'failed' as const, 'removed' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      to: fc.subarray([...tenants], { minLength: 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('assign' as const),
      tenant: fc.constantFrom(...tenants),
      isAssigned: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 30, 60) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('jobs' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

interface ModelRollout {
  readonly plan: RolloutPlan;
  state: 'open' | 'halted' | 'cancelled';
  begun: number;
  waitsFrom: number;
  round: number;
}

let runs = 0;

async function play(saleType: 1 | 2, actions: readonly Action[]): Promise<void> {
  runs += 1;
  const fileName = `model-${runs}.uap`;
  const bytes = someBytes('package');
  const devices: ModelDevice[] = people.map((one) => ({
    ...one,
    cursor: undefined,
    has: 0,
    known: new Map<number, { step: Step | 'seen'; round: number | null }>(),
  }));
  /** By number, from 1. */
  const versions: (ModelRollout | null)[] = [];
  let destinations: readonly number[] = tenants;
  const assigned = new Set<number>(saleType === 2 ? tenants : []);

  async function send(opened: object): Promise<void> {
    if (!('signedUrl' in opened && 'uploadId' in opened)) throw new Error(JSON.stringify(opened));
    await harness.put(String(opened.signedUrl), bytes);
    const params = { uploadId: String(opened.uploadId) };
    await harness.call(fileRoutes.completeUpload, { params, body: { parts: [] } }, platform);
  }
  const { body: created } = await harness.call(
    applicationRoutes.createApplication,
    { body: { name: fileName, saleType, fileName, fileSize: bytes.length, partnerIds: [...tenants] } },
    platform,
  );
  const { id } = created;
  await send(created);
  versions.push(null);
  const assign = async (tenant: number, isAssigned: boolean) =>
    harness.refused(
      fileRoutes.assignGroups,
      { params: { pid: tenant, id }, body: { groupIds: isAssigned ? [groupOf(tenant)] : [] } },
      partnerActor({ partnerId: tenant }),
    );
  if (saleType === 2) for (const tenant of tenants) await assign(tenant, true);

  const now = () => harness.clock.now().getTime();
  const current = () => versions.at(-1) ?? null;
  const stateOf = ({ begun, plan: of, state }: ModelRollout) =>
    state !== 'open' ? state : begun === of.stages.length ? 'done' : 'running';

  /** Lets everything happen that comes by itself up to now. */
  function tick(): void {
    for (;;) {
      const rollout = current();
      const stage = rollout?.state === 'open' ? rollout.plan.stages[rollout.begun] : undefined;
      if (!rollout || !stage) return;
      const wait = rollout.begun === 0 ? 0 : stage.after ? millisecondsOf(stage.after) : undefined;
      if (wait === undefined || rollout.waitsFrom + wait > now()) return;
      rollout.begun += 1;
      rollout.waitsFrom += wait;
    }
  }

  const isReached = ({ inGroup, tenant }: ModelDevice) =>
    destinations.includes(tenant) && (saleType === 1 || (assigned.has(tenant) && inGroup));
  function wasReached(version: number, { uuid }: ModelDevice): boolean {
    const rollout = versions[version - 1];
    if (!rollout) return true;
    const percents = rollout.plan.stages.slice(0, rollout.begun).map(({ percent }) => percent);
    return turned(placeOf(uuid), turnOf({ fileId: id, version })) < Math.max(0, ...percents);
  }
  const statusOf = ({ known }: ModelDevice, version: number) => {
    const step = known.get(version)?.step;
    return step === undefined ? 'notSeen' : step === 'seen' ? 'seen' : step.status;
  };
  /** 0: none. */
  function versionOf(device: ModelDevice): number {
    if (!isReached(device)) return 0;
    for (let version = versions.length; version > 0; version -= 1) {
      const rollout = versions[version - 1];
      const isIn =
        !rollout ||
        (rollout.state === 'open' ? wasReached(version, device) : statusOf(device, version) === 'installed');
      if (isIn) return version;
    }
    return 0;
  }
  function reportsOf(version: number) {
    const rollout = versions[version - 1];
    const told = devices
      .filter(({ known }) => rollout && known.get(version)?.round === rollout.round)
      .map((device) => statusOf(device, version));
    return {
      reports: told.filter((status) => status === 'installed' || status === 'failed').length,
      failures: told.filter((status) => status === 'failed').length,
    };
  }
  function isOver(rollout: ModelRollout): boolean {
    const { failures, reports } = reportsOf(versions.length);
    const { halt } = rollout.plan;
    return Boolean(halt && reports >= halt.minReports && failures * 100 >= halt.failurePercent * reports);
  }

  async function act(one: Action): Promise<void> {
    switch (one.kind) {
      case 'release': {
        const rollout = one.plan ? { rollout: one.plan } : {};
        if (versions.length === 1) {
          const body = { fileName, fileSize: bytes.length, ...rollout };
          await send(
            (await harness.call(applicationRoutes.updateApplication, { params: { id }, body }, platform))
              .body,
          );
        } else {
          const params = { id, version: versions.length - 1 };
          const { body } = await harness.refused(
            deliveryRoutes.restoreApplicationVersion,
            { params, body: rollout },
            platform,
          );
          expect(body).toEqual({ version: versions.length + 1 });
        }
        versions.push(one.plan && { plan: one.plan, state: 'open', begun: 0, waitsFrom: now(), round: 1 });
        return;
      }
      case 'do': {
        const rollout = current();
        const params = { id };
        const routes = {
          halt: rolloutRoutes.haltApplicationRollout,
          resume: rolloutRoutes.resumeApplicationRollout,
          cancel: rolloutRoutes.cancelApplicationRollout,
        };
        const stage = Math.min((rollout?.begun ?? 0) + 1, 10);
        const { body, status } = await (one.what === 'advance'
          ? harness.refused(rolloutRoutes.advanceApplicationRollout, { params, body: { stage } }, platform)
          : harness.refused(routes[one.what], { params }, platform));
        if (!rollout) {
          expect(body).toMatchObject({ code: 'E40401' });
          return;
        }
        const state = stateOf(rollout);
        const may = {
          advance: state === 'running' && !isOver(rollout),
          halt: state === 'running' || state === 'done',
          resume: state === 'halted',
          cancel: state !== 'cancelled',
        }[one.what];
        expect([one.what, state, status]).toEqual([one.what, state, may ? 200 : 400]);
        if (!may) return;
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
        const device = devices[one.device];
        const version = versions.length - one.back;
        if (!device || version < 1) return;
        const at = new Date(Math.floor(now() / 1000) * 1000);
        const { body } = await harness.refused(
          deliveryRoutes.sendReceipt,
          { params: { id }, body: { version, status: one.status, at: formatDateTime(at) } },
          actorOf(device),
        );
        if (!isReached(device) && device.known.size === 0) {
          expect(body).toMatchObject({ code: 'E40405' });
          return;
        }
        if (!device.known.has(version) && !wasReached(version, device)) {
          expect(body).toMatchObject({ code: 'E40002', errors: [{ field: 'version' }] });
          return;
        }
        expect(body).toEqual({});
        const stood = device.known.get(version)?.step;
        const last = stood === 'seen' ? undefined : stood;
        const told = { status: one.status, at, progress: null, reason: null, toldBy: 'player' } as const;
        const next = nextStep(last, told);
        if (next === last) return;
        const rollout = versions[version - 1];
        device.known.set(version, { step: next, round: rollout ? rollout.round : null });
        if (next.status === last?.status || version < versions.length || rollout?.state !== 'open') return;
        if (isOver(rollout)) rollout.state = 'halted';
        return;
      }
      case 'send': {
        const body = { partnerIds: [...one.to] };
        await harness.call(applicationRoutes.updateApplication, { params: { id }, body }, platform);
        destinations = one.to;
        // What its tenants have assigned of an offer that is there no more ends.
        await harness.runJobs();
        for (const tenant of tenants) if (!destinations.includes(tenant)) assigned.delete(tenant);
        return;
      }
      case 'assign': {
        const { status } = await assign(one.tenant, one.isAssigned);
        expect(status).toBe(
          saleType === 1
            ? destinations.includes(one.tenant)
              ? 403
              : 404
            : destinations.includes(one.tenant)
              ? 200
              : 404,
        );
        if (status !== 200) return;
        if (one.isAssigned) assigned.add(one.tenant);
        else assigned.delete(one.tenant);
        return;
      }
      case 'wait':
        harness.clock.advance(one.minutes * minute);
        return;
      case 'jobs':
        await harness.runJobs();
    }
  }

  const actorOf = ({ tenant, userId, uuid }: ModelDevice) =>
    playerActor({ partnerId: tenant, accountId: userId, platformUuid: uuid });

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
    expect([device.uuid, device.has]).toEqual([device.uuid, versionOf(device)]);
  }

  /** The numbers of each version that some of these devices are to have. */
  function numbersOf(some: readonly ModelDevice[]) {
    return versions.flatMap((_, index) => {
      const version = index + 1;
      const of = some.filter((device) => versionOf(device) === version);
      const isShown = of.length > 0 || version === versions.length;
      const states = Object.entries(Object.groupBy(of, (device) => statusOf(device, version))).map(
        ([state, ones]) => [state, ones?.length ?? 0],
      );
      return isShown ? [{ version, devices: of.length, states: Object.fromEntries(states) }] : [];
    });
  }
  interface Shown {
    readonly version: number;
    readonly targeted: { readonly users: number; readonly devices: number };
    readonly states: Readonly<Record<string, number>>;
  }
  const shownOf = ({ states, targeted, version }: Shown) => {
    expect(targeted.users).toBe(targeted.devices);
    const told = Object.entries(states).filter(([, count]) => count !== 0);
    return { version, devices: targeted.devices, states: Object.fromEntries(told) };
  };

  async function check(): Promise<void> {
    for (const device of devices) await poll(device);
    const isAnywhere = destinations.some((tenant) => saleType === 1 || assigned.has(tenant));
    for (const tenant of destinations) {
      const params = { pid: tenant, id };
      const actor = partnerActor({ partnerId: tenant });
      const { body } = await harness.call(deliveryRoutes.getDelivery, { params }, actor);
      const isThere = saleType === 1 || assigned.has(tenant);
      const expected = isThere ? numbersOf(devices.filter((device) => device.tenant === tenant)) : [];
      expect([tenant, body.versions.map(shownOf)]).toEqual([tenant, expected.reverse()]);
    }
    const all = await harness.call(
      deliveryRoutes.getApplicationDelivery,
      { params: { id }, query: {} },
      platform,
    );
    expect(all.body.versions.map(shownOf)).toEqual(isAnywhere ? numbersOf(devices).reverse() : []);
    expect(all.body.partners.map((one) => one.id)).toEqual([...destinations].sort());
    const rollout = current();
    const shown = await harness.refused(rolloutRoutes.getApplicationRollout, { params: { id } }, platform);
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
  await harness.call(applicationRoutes.deleteApplication, { params: { id } }, platform);
}

describe('Whatever becomes of an application and of its stages', () => {
  it('then each device has the version that a plain model gives it, and every number is that of the model', async () => {
    const releases: Action = { kind: 'release', plan: null };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1 as const, 2 as const),
        fc.array(action, { minLength: 6, maxLength: 20 }),
        async (saleType, actions) => play(saleType, [releases, ...actions]),
      ),
      { numRuns: Number(process.env['MODEL_RUNS'] ?? 2), endOnFailure: true },
    );
  }, 600_000);
});
