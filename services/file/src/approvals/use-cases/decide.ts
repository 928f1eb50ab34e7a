import { fileEvents, userRoleBits } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { concernsRecord, type JobRun, ofPartner } from '@portal/service-kit';
import { type AskedChange, deliveryTime } from '../../changes/domain/asked-change.ts';
import { askedChange, storedChangeSchema } from '../../changes/domain/stored-change.ts';
import type { Conduct } from '../../changes/use-cases/conduct.ts';
import { observe } from '../../changes/use-cases/observe.ts';
import { type ChangeDependencies, runChange } from '../../changes/use-cases/run-change.ts';
import type { Uploader } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { beginChange, type Change, tryUnnumberedChange } from '../../files/data/changes.ts';
import { findFile } from '../../files/data/file-repository.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { workOff } from '../../files/use-cases/work-off.ts';
import { lockDelivery } from '../../receipts/data/audience-repository.ts';
import { assertStillAhead } from '../../updates/domain/schedule.ts';
import { releaseVersion } from '../../updates/use-cases/apply-due-update.ts';
import { type Creator, findVersion } from '../../uploads/data/version-repository.ts';
import { undoReservation } from '../../uploads/use-cases/abort-upload.ts';
import { deliverySettings } from '../../versions/data/settings-repository.ts';
import { applySettings } from '../../versions/use-cases/delivery-settings.ts';
import {
  type Approval,
  findApproval,
  findOverdueApprovals,
  lockApproval,
  saveDecision,
  stateAt,
} from '../data/approval-repository.ts';
import { toldOf } from './ask.ts';
import { settleNow } from './settle-version.ts';

/** Its effect is another than the one that was shown. */
class Stale extends AppError {
  constructor() {
    super('E40034');
  }
}

/** Somebody else decided, or the time was over. */
const decidedAlready = () => new AppError('E40034');

/**
 * Makes a change that another admin asked for, in their name.
 * @throws AppError `E40401`; `E40301` for one's own; `E40034` for one that waits no more, and for one that is stale
 */
export async function approve(
  deps: ChangeDependencies,
  caller: Uploader,
  id: number,
  comment: string | null,
): Promise<void> {
  const { clock } = deps;
  const { partnerId } = caller;
  const approval = await requireWaiting(deps, partnerId, id);
  if (approval.askedBy === caller.accountId) {
    throw new AppError('E40301', [], { messageKey: 'ownApproval' });
  }
  const by = await deps.creatorOf(caller);
  const decision = { state: 'approved', by, comment } as const;
  try {
    if (approval.what === 'settings') {
      await changeFiles(deps, partnerId, async (change) => {
        await lockWaiting(change, id, clock.now());
        await turnOff(change, approval, clock.now());
        await decide(change, approval, { ...decision, now: clock.now() });
      });
      return;
    }
    await makeApproved(deps, approval, async (change) =>
      decide(change, approval, { ...decision, now: clock.now() }),
    );
  } catch (error) {
    if (!(error instanceof Stale)) throw error;
    await changeFiles(deps, partnerId, async (change) => {
      await lockWaiting(change, id, clock.now());
      await decide(change, approval, { state: 'stale', by, comment, now: clock.now() });
    });
    throw error;
  }
}

/** The change, with the decision in its transaction. */
async function makeApproved(
  deps: ChangeDependencies,
  approval: Approval,
  decided: (change: Change) => Promise<void>,
): Promise<void> {
  const { askedBy, at: askedAt, id, partnerId } = approval;
  const asked = askedOf(approval);
  let isDecided = false;
  const conduct: Conduct = {
    askedAt,
    looksOnly: false,
    async around(change, work) {
      const now = deps.clock.now();
      await lockDelivery(change.db, [change.partnerId]);
      isDecided = (await findWaiting(change, id, now)) === undefined;
      if (isDecided) throw decidedAlready();
      const { effect, result } = await observe(change, asked, { named: false, now }, work);
      if (effect.hash !== approval.effectHash) throw new Stale();
      await decided(change);
      return result;
    },
  };
  const editor = { partnerId, accountId: askedBy, role: userRoleBits.admin };
  try {
    await (asked.versionId === undefined
      ? runChange({ deps, editor, conduct }, asked)
      : placeApproved(deps, approval, conduct, { ...asked, versionId: asked.versionId }));
  } catch (error) {
    // What is refused now was not when it was shown; what is not reached may be later.
    if (error instanceof AppError && error.status < 500 && !isDecided) throw new Stale();
    throw error;
  }
}

function askedOf({ body, fileId, versionId, what }: Approval): AskedChange {
  const stored = storedChangeSchema.parse({ what, body });
  return askedChange(stored, { fileId: fileId ?? 0, ...(versionId !== null && { versionId }) });
}

async function placeApproved(
  deps: Dependencies,
  { at: askedAt, partnerId }: Approval,
  conduct: Conduct,
  { versionId, ...asked }: AskedChange & { readonly versionId: number },
): Promise<void> {
  const at = asked.what === 'reservation' ? asked.body.updateReservationAt : deliveryTime(asked);
  await changeFiles(deps, partnerId, async (change) =>
    conduct.around(change, async (inside) => {
      const version = await findVersion(inside.db, partnerId, versionId);
      if (version?.fileId == null || version.released) throw new Stale();
      const now = deps.clock.now();
      // Of bytes that took longer than their time, that was over when they were asked about.
      if (at && at > askedAt) assertStillAhead(at, now);
      await settleNow(inside, version, now);
    }),
  );
}

async function turnOff(change: Change, { body }: Approval, now: Date): Promise<void> {
  const present = await deliverySettings(change.db, change.partnerId);
  if (!present.approvalRequired) throw new Stale();
  const { versions_kept: versionsKept = present.versionsKept } = Object(body) as { versions_kept?: number };
  await applySettings(change, { versionsKept, approvalRequired: false }, now);
}

/**
 * Declines a change that waits, which is not made; one's own is taken back.
 * @throws AppError `E40401`; `E40034` for one that waits no more
 */
export async function decline(
  deps: Dependencies,
  caller: Uploader,
  id: number,
  comment: string,
): Promise<void> {
  const { partnerId } = caller;
  await requireWaiting(deps, partnerId, id);
  const by = await deps.creatorOf(caller);
  await changeFiles(deps, partnerId, async (change) => {
    const now = deps.clock.now();
    const approval = await lockWaiting(change, id, now);
    await decide(change, approval, { state: 'declined', by, comment, now });
  });
}

/** Writes down which requests nobody has decided in time, and tells of it. They could not be approved since then. */
export async function expireApprovals(deps: Dependencies, run: JobRun): Promise<void> {
  const now = deps.clock.now();
  await workOff(deps, run, {
    find: async (db, shares) => findOverdueApprovals(db, now, shares),
    begin: tryUnnumberedChange,
    async work(change, id) {
      const approval = await lockApproval(change, id);
      if (approval?.state !== 'waiting') return;
      await decide(change, approval, { state: 'expired', by: null, comment: null, now });
    },
  });
}

async function requireWaiting(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  partnerId: number,
  id: number,
): Promise<Approval> {
  const approval = await store.read(ofPartner(partnerId), async (db) => findApproval(db, partnerId, id));
  if (!approval) throw new AppError('E40401');
  tellTheLog(approval);
  if (stateAt(approval, clock.now()) !== 'waiting') throw decidedAlready();
  return approval;
}

async function findWaiting(change: Change, id: number, now: Date): Promise<Approval | undefined> {
  const approval = await lockApproval(change, id);
  return approval && stateAt(approval, now) === 'waiting' ? approval : undefined;
}

async function lockWaiting(change: Change, id: number, now: Date): Promise<Approval> {
  const approval = await findWaiting(change, id, now);
  if (!approval) throw decidedAlready();
  return approval;
}

/** The path names the request alone, and the change that it asks for names its file. */
function tellTheLog({ fileName, id }: Approval): void {
  if (fileName !== null) concernsRecord({ id, name: fileName });
}

async function decide(
  change: Change,
  approval: Approval,
  {
    by,
    comment,
    now,
    state,
  }: {
    readonly state: 'approved' | 'declined' | 'expired' | 'stale';
    readonly by: Creator | null;
    readonly comment: string | null;
    readonly now: Date;
  },
): Promise<void> {
  tellTheLog(approval);
  if (state !== 'approved') await dropBytes(change, approval, now);
  await saveDecision(change, approval.id, {
    state,
    comment,
    decidedAt: now,
    decidedBy: by?.id ?? null,
    decidedByName: by?.name ?? null,
  });
  change.outbox.append(fileEvents.approvalDecided, {
    subject: approval.id,
    partnerId: change.partnerId,
    data: { ...toldOf(approval), state, decidedBy: by?.id ?? null, comment },
  });
}

/** What waited with its bytes is no version, and they go, with the time that their call gave to the file. */
async function dropBytes(change: Change, approval: Approval, now: Date): Promise<void> {
  const { fileId, versionId } = approval;
  if (fileId === null || versionId === null) return;
  await releaseVersion(change, versionId, now);
  const asked = askedOf(approval);
  if (asked.what !== 'reservation') return;
  const file = await findFile(change.db, change.partnerId, fileId);
  const version = await findVersion(change.db, change.partnerId, versionId);
  if (!file || version?.fileId == null) return;
  // Another update may have had its time since.
  if (file.updateReservationAt?.getTime() !== asked.body.updateReservationAt.getTime()) return;
  // Players notice nothing else of a request that expires, which has no number until here.
  await undoReservation(await beginChange(change, change.partnerId), file, version, now);
}
