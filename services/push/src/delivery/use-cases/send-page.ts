import type { HeldTask } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { openToken } from '../../devices/data/device-repository.ts';
import { dropUnreachable } from '../../devices/use-cases/drop-unreachable.ts';
import { reasons } from '../../providers/domain/outcomes.ts';
import type { PushText } from '../../providers/domain/payload.ts';
import type { PushOutcome, PushProvider } from '../../providers/provider.ts';
import { findCredentials } from '../data/credentials.ts';
import { lockLanes } from '../data/lane-queue.ts';
import {
  type DueDevice,
  dueDevices,
  endTurn,
  endTurnOfMany,
  type NotedDevice,
  nextPageDue,
  noteOutcomes,
  type PageKey,
  type TextToSend,
  takePage,
} from '../data/page-repository.ts';
import { holdNotification } from '../data/run-repository.ts';
import { pushIdOf } from '../domain/push-id.ts';
import { noted } from '../domain/retry.ts';
import { finishDelivery } from './finish-delivery.ts';

type SendDependencies = Pick<Dependencies, 'cipher' | 'clock' | 'direct' | 'providers' | 'store'>;
type Lane = HeldTask<{ readonly lane: number }>;

/** Pushes of a lane without an answer, at most. */
const inFlight = 150;
/** After that no further push of a page begins, however slow its provider is: other tenants have their turn. */
const turnMs = 5_000;
/** How many outcomes are noted in a transaction, and how long one waits for others. */
const noteAtOnce = 500;
const noteWithinMs = 500;

/** A turn of a lane of a tenant: sends to the devices of one page that are due. Ends the lane when there is nothing to send. */
export async function sendPage(
  deps: SendDependencies,
  task: Lane,
): Promise<void | { readonly notBefore: Date }> {
  const { clock, direct, store } = deps;
  const { partnerId, payload } = task;
  if (partnerId === null) throw new Error('A lane is of a tenant');
  const taken = await direct.write(task.scope, undefined, async ({ db }) => {
    await task.hold(db);
    const page = await takePage(db, { partnerId, lane: payload.lane }, clock.now());
    return page && { page, devices: await dueDevices(db, page, clock.now()) };
  });
  if (!taken) return endLane(deps, task, partnerId);
  const { devices, page } = taken;
  const { text } = page;
  if (text && devices.length > 0) await sendTo(deps, task, { page, text, devices });
  const isEnded = await direct.write(task.scope, undefined, async (tx) => {
    await task.hold(tx.db);
    return endTurnOfMany(tx, page, clock.now());
  });
  if (isEnded) return undefined;
  await store.write(task.scope, async (tx) => {
    await task.hold(tx.db);
    const key = { partnerId, id: page.notificationId };
    await holdNotification(tx.db, key);
    const now = clock.now();
    if (await endTurn(tx.db, page, now)) await finishDelivery(tx, key, now);
  });
  return undefined;
}

/** A page that comes at this moment finds the lane, or opens it again. */
async function endLane(
  { store }: SendDependencies,
  task: Lane,
  partnerId: number,
): Promise<void | { readonly notBefore: Date }> {
  return store.write(task.scope, async ({ db }) => {
    await lockLanes(db, partnerId);
    const dueAt = await nextPageDue(db, partnerId);
    if (dueAt) return { notBefore: dueAt };
    await task.finish(db);
    return undefined;
  });
}

async function sendTo(
  deps: SendDependencies,
  task: Lane,
  what: { readonly page: PageKey; readonly text: TextToSend; readonly devices: readonly DueDevice[] },
): Promise<void> {
  const { devices, page, text } = what;
  const notes = createNotes(deps, task, page);
  const say = { ...text, collapseKey: String(page.notificationId) };
  const end = performance.now() + turnMs;
  const left = devices.values();
  const sendEach = async (providers: Record<'fcm' | 'apns', PushProvider>) => {
    await Promise.all(
      Array.from({ length: Math.min(inFlight, devices.length) }, async () => {
        for (const device of left) {
          if (performance.now() > end || task.signal.aborted || notes.failed()) return;
          const triedAt = deps.clock.now();
          const outcome = await sendOne(deps, { providers, page, say, device }, task.signal);
          // Nobody knows what became of it: it is sent again, with the same id.
          if (task.signal.aborted && outcome.kind === 'later') return;
          notes.add(device, triedAt, outcome);
        }
      }),
    );
    await notes.settled();
    task.signal.throwIfAborted();
  };

  const credentials = await findCredentials(deps, page.partnerId, text.certificationId).catch(() => null);
  if (credentials) return deps.providers.use(credentials, sendEach);
  const reason = credentials === null ? reasons.certificateUnreadable : reasons.noCertificate;
  const refusing: PushProvider = { send: async () => ({ kind: 'refused', reason }), async close() {} };
  return sendEach({ fcm: refusing, apns: refusing });
}

/** Answers at once what no provider is needed for. */
function sendOne(
  { cipher }: SendDependencies,
  {
    device: { target, uuid },
    page: { notificationId, partnerId },
    providers,
    say: { collapseKey, json, message, title },
  }: {
    readonly providers: Readonly<Record<'fcm' | 'apns', PushProvider>>;
    readonly page: PageKey;
    readonly say: PushText;
    readonly device: DueDevice;
  },
  signal: AbortSignal,
): Promise<PushOutcome> | PushOutcome {
  if (!target) return { kind: 'refused', reason: reasons.noToken };
  let token: string;
  try {
    token = openToken(cipher, { partnerId, uuid, token: target.token });
  } catch {
    return { kind: 'refused', reason: reasons.tokenUnreadable };
  }
  const provider = target.service === 'apns' ? providers.apns : providers.fcm;
  const push = {
    // FCM takes none.
    get id() {
      return pushIdOf(notificationId, uuid);
    },
    token,
    title,
    message,
    json,
    collapseKey,
  };
  return provider.send(push, signal);
}

/** Collects outcomes and notes several in a transaction, one after the other. */
function createNotes({ clock, direct }: SendDependencies, task: Lane, page: PageKey) {
  let taken: string[] = [];
  let others: (NotedDevice & { readonly number: number | undefined })[] = [];
  let noting: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const outcomes = { taken, others };
    taken = [];
    others = [];
    if (outcomes.taken.length + outcomes.others.length === 0) return;
    const unreachable = outcomes.others.flatMap(({ noted: of, number, uuid }) =>
      of.outcome === 'failed' && of.isGone && number !== undefined
        ? [{ uuid, number, reason: of.reason }]
        : [],
    );
    noting = noting.then(async () => {
      if (failure) return;
      try {
        await direct.write(task.scope, undefined, async (tx) => {
          await task.hold(tx.db);
          if (unreachable.length > 0) await dropUnreachable(tx, page.partnerId, unreachable);
          noteOutcomes(tx.send, page, outcomes);
        });
      } catch (error) {
        failure = { error };
      }
    });
  }

  return {
    add({ firstTriedAt, target, tries, uuid }: DueDevice, triedAt: Date, outcome: PushOutcome): void {
      const about = { tries: tries + 1, firstTriedAt: firstTriedAt ?? triedAt };
      const of = noted(outcome, { ...about, now: clock.now(), chance: Math.random() });
      if (of.outcome === 'taken') taken.push(uuid);
      else others.push({ uuid, triedAt, noted: of, number: target?.number });
      if (taken.length + others.length >= noteAtOnce) flush();
      else timer ??= setTimeout(flush, noteWithinMs);
    },
    failed: () => failure !== undefined,
    /** Rejects where something could not be noted. */
    async settled(): Promise<void> {
      flush();
      await noting;
      if (failure) throw failure.error;
    },
  };
}
