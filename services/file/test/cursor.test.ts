import { fileRoutes, formatDateTime } from '@portal/contracts';
import { playerActor } from '@portal/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { admin, type FileHarness, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
const groups = [3, 4];
const users = [12, 13];
const minute = 60_000;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  for (const id of groups) await harness.group(id, `group ${id}`);
  for (const id of users) await harness.user(id, []);
});
afterAll(async () => harness.stop());

/** A player that stores the files it got, and its cursor. */
class Player {
  readonly id: number;
  readonly perPage: number;
  readonly files = new Map<number, string>();
  since: string | undefined;

  constructor(id: number, perPage: number) {
    this.id = id;
    this.perPage = perPage;
  }

  /** Follows the cursor to the end. Gives how many files it was sent. */
  async sync(between: () => Promise<void> = async () => undefined): Promise<number> {
    let sent = 0;
    for (let isFirst = true; ; isFirst = false) {
      const { body, status } = await harness.call(
        fileRoutes.listDelivered,
        { query: { perPage: this.perPage, ...(this.since ? { since: this.since } : {}) } },
        playerActor({ accountId: this.id }),
      );
      expect(status).toBe(200);
      for (const file of body.files) this.files.set(file.id, JSON.stringify(withoutUrls(file)));
      for (const id of body.removedIds) this.files.delete(id);
      this.since = body.cursor;
      sent += body.files.length;
      if (body.totalPage <= 1) return sent;
      if (isFirst) await between();
    }
  }

  async fresh(): Promise<Map<number, string>> {
    const { body } = await harness.call(
      fileRoutes.listDelivered,
      { query: { perPage: 100 } },
      playerActor({ accountId: this.id }),
    );
    return new Map(body.files.map((file) => [file.id, JSON.stringify(withoutUrls(file))]));
  }
}

function withoutUrls(file: { iconSignedUrl: string | null }) {
  return { ...file, iconSignedUrl: null };
}

type Step =
  | { kind: 'create'; delay: number | null }
  | { kind: 'assign'; file: number; groupIds: number[] }
  | { kind: 'move'; user: number; groupIds: number[] }
  | { kind: 'delete' | 'rename'; file: number }
  | { kind: 'deliver'; file: number; delay: number | null }
  | { kind: 'reserve'; file: number; delay: number }
  | { kind: 'pass'; minutes: number }
  | { kind: 'sync'; user: number };

const file = fc.nat({ max: 5 });
const delay = fc.option(fc.constantFrom(10, 20, 40), { nil: null });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), delay }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('assign' as const),
      file,
      groupIds: fc.subarray([0, ...groups]),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      user: fc.nat({ max: 1 }),
      groupIds: fc.subarray(groups),
    }),
  },
  fc.record({ kind: fc.constantFrom('delete' as const, 'rename' as const), file }),
  fc.record({ kind: fc.constant('deliver' as const), file, delay }),
  fc.record({ kind: fc.constant('reserve' as const), file, delay: fc.constantFrom(10, 20, 40) }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.constantFrom(1, 10, 15, 25) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sync' as const), user: fc.nat({ max: 1 }) }) },
);

let names = 0;
let live: number[] = [];

const inMinutes = (minutes: number | null) =>
  minutes === null ? null : formatDateTime(new Date(harness.clock.now().getTime() + minutes * minute));

async function take(action: Step, players: readonly Player[]): Promise<void> {
  const id = 'file' in action ? live[action.file % Math.max(1, live.length)] : undefined;
  const params = { pid: 1, id: id ?? 0 };
  switch (action.kind) {
    case 'create': {
      names += 1;
      const at = inMinutes(action.delay);
      live.push(
        await harness.upload({
          fileName: `f${names}.uap`,
          ...(at === null ? {} : { deliverReservationAt: at }),
        }),
      );
      return;
    }
    case 'assign':
      if (id !== undefined) await harness.assign(id, action.groupIds);
      return;
    case 'move':
      return harness.user(users[action.user] ?? 0, action.groupIds);
    case 'delete':
      if (id === undefined) return;
      await harness.call(fileRoutes.deleteFile, { params }, admin);
      live = live.filter((known) => known !== id);
      return;
    case 'rename':
      names += 1;
      if (id !== undefined)
        await harness.call(fileRoutes.updateFile, { params, body: { name: `n${names}` } }, admin);
      return;
    case 'deliver':
      if (id === undefined) return;
      await harness.call(
        fileRoutes.updateFile,
        { params, body: { deliverReservationAt: inMinutes(action.delay) } },
        admin,
      );
      return;
    case 'reserve': {
      if (id === undefined) return;
      const { body: known } = await harness.call(fileRoutes.getFile, { params }, admin);
      const opened = await harness.call(
        fileRoutes.reserveUpdate,
        {
          params,
          body: { updateReservationAt: inMinutes(action.delay) ?? '', fileName: known.fileName, fileSize: 3 },
        },
        admin,
      );
      if (!('uploadId' in opened.body)) return;
      await harness.put(opened.body.signedUrl, new Uint8Array(3));
      const { uploadId } = opened.body;
      await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
      return;
    }
    case 'pass':
      harness.clock.advance(action.minutes * minute);
      return;
    case 'sync':
      await players[action.user]?.sync();
  }
}

it('When a player follows its cursor, then it has what a fresh list gives, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.array(step, { maxLength: 3 }),
      fc.constantFrom(1, 2, 100),
      async (steps, meanwhile, perPage) => {
        const players = users.map((id) => new Player(id, perPage));
        for (const action of steps) await take(action, players);
        for (const player of players) {
          await player.sync(async () => {
            for (const action of meanwhile) if (action.kind !== 'sync') await take(action, players);
          });
          // Once more: what changed while it was reading.
          await player.sync();
          expect(player.files).toEqual(await player.fresh());
        }
        for (const player of players) {
          await player.sync();
          expect(await player.sync()).toBe(0);
        }
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
}, 180_000);

it('When others write at the same time, then a player that follows its cursor misses nothing', async () => {
  const ids: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    names += 1;
    ids.push(await harness.upload({ fileName: `f${names}.uap` }));
  }
  const [reader = 0] = users;
  await harness.user(reader, [3]);
  const player = new Player(reader, 3);
  let writing = true;
  const following = (async () => {
    while (writing) await player.sync();
  })();
  await Promise.all(
    ids.map(async (id, nth) => {
      for (let round = 0; round < 12; round += 1) {
        if ((nth + round) % 3 === 2) {
          const body = { name: `round ${round}` };
          await harness.call(fileRoutes.updateFile, { params: { pid: 1, id }, body }, admin);
        } else {
          await harness.assign(id, round % 2 === 0 ? [3] : [4]);
        }
      }
      await harness.assign(id, nth % 2 === 0 ? [3] : []);
    }),
  );
  writing = false;
  await following;
  await player.sync();
  await player.sync();
  expect(player.files).toEqual(await player.fresh());
  expect(player.files.size).toBeGreaterThanOrEqual(4);
});

it('When a cursor is no cursor of the player, then it is refused', async () => {
  const { body } = await harness.call(fileRoutes.listDelivered, {}, playerActor({ accountId: 12 }));
  const future = Buffer.from('1.1.12.999999999.5').toString('base64url');
  for (const [since, actor] of [
    [body.cursor, playerActor({ accountId: 13 })],
    [body.cursor, playerActor({ accountId: 12, partnerId: 2 })],
    ['nonsense', playerActor({ accountId: 12 })],
    [future, playerActor({ accountId: 12 })],
  ] as const) {
    const refused = await harness.refused(fileRoutes.listDelivered, { query: { since } }, actor);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'E40002', errors: [{ field: 'since' }] });
  }
});
