import { setTimeout as sleep } from 'node:timers/promises';
import { formatDateTime, tenantEvents } from '@portal/contracts';
import { AppError, type Clock, fieldError, newId } from '@portal/kernel';
import { type JobRun, ofPartner, type Store, type Transaction } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import {
  deleteHold,
  findHold,
  type HoldKey,
  holdsUntil,
  insertHold,
} from '../data/licence-hold-repository.ts';
import { lockPartner } from '../data/partner-repository.ts';
import { partnerExists } from '../data/partner-views.ts';
import type { Contract } from '../domain/partner.ts';

export type LicenceLimit = Pick<Contract, 'licenseCount' | 'licenseType'>;

interface Deps {
  readonly store: Store<TenantDb>;
  readonly clock: Clock;
}

const answeredWithinMs = 10_000;
/** How often somebody who waits looks, at first and at most. */
const firstLookMs = 10;
const longestLookMs = 100;
/** A change that is being stored is not given up under its hands. */
const graceMs = 5_000;
const mostAtOnce = 100;

/**
 * Has the user service hold a lower limit, so that no more is used while the contract is changed to it. Whoever asked ends the
 * hold, with the change or without it. Throws `E40023` on `field` for less than is in use, `E50301` when no answer comes in
 * time, `E40402` for a partner that is unknown, or deleted meanwhile.
 */
export async function holdLicences(
  deps: Deps,
  partnerId: number,
  limit: LicenceLimit,
  field: 'licenseCount' | 'licenseType',
): Promise<HoldKey> {
  const { clock, store } = deps;
  const hold = { partnerId, holdId: newId() };
  const scope = ofPartner(partnerId);
  const until = new Date(clock.now().getTime() + answeredWithinMs);
  const isLate = () => clock.now() > until;

  // Another change may be under way.
  const isAsked = await untilSet(isLate, async () => store.write(scope, (tx) => ask(tx, hold, limit, until)));
  if (!isAsked) throw new AppError('E50301');
  const answer = await untilSet(isLate, async () => {
    const found = await store.read(scope, (db) => findHold(db, hold));
    return found?.status === 'asked' ? null : { found };
  });
  if (answer?.found?.status === 'held') return hold;
  await endHold(deps, hold);
  if (!(await store.read(scope, (db) => partnerExists(db, partnerId)))) throw new AppError('E40402');
  if (answer?.found?.status !== 'refused') throw new AppError('E50301');
  throw fieldError('E40023', field, 'licencesInUse', { used: answer.found.inUse ?? 0 });
}

/** Without the change: the limit of before holds again. */
export async function endHold({ store }: Pick<Deps, 'store'>, hold: HoldKey): Promise<void> {
  await store.write(ofPartner(hold.partnerId), async (tx) => settleHold(tx, hold));
}

/** Ends a hold in the transaction of the change, after its event. Answers false when it was given up before. */
export async function settleHold({ db, outbox }: Transaction<TenantDb>, hold: HoldKey): Promise<boolean> {
  const wasHeld = await deleteHold(db, hold);
  if (wasHeld) {
    const { holdId, partnerId } = hold;
    outbox.append(tenantEvents.licenceHoldEnded, {
      subject: partnerId,
      partnerId,
      data: { partnerId, holdId },
    });
  }
  return wasHeld;
}

/** Gives up what was left by those who asked and did not come to an end. */
export async function giveUpHolds({ clock, store }: Deps, { scope, stopping }: JobRun): Promise<void> {
  const before = new Date(clock.now().getTime() - graceMs);
  const left = await store.read(scope, (db) => holdsUntil(db, before, mostAtOnce));
  for (const hold of left) {
    if (stopping.aborted) return;
    await endHold({ store }, hold);
  }
}

/** Under the lock of the partner, so that the user service hears of it in order with the changes of before. */
async function ask(
  { db, outbox }: Transaction<TenantDb>,
  hold: HoldKey,
  { licenseCount, licenseType }: LicenceLimit,
  until: Date,
): Promise<true | null> {
  const { partnerId } = hold;
  if (!(await lockPartner(db, partnerId))) throw new AppError('E40402');
  if (!(await insertHold(db, hold, until))) return null;
  outbox.append(tenantEvents.licenceHoldAsked, {
    subject: partnerId,
    partnerId,
    data: { ...hold, licenseType, licenseCount, until: formatDateTime(until) },
  });
  return true;
}

/** What `look` finds before it is late; null if it finds nothing. */
async function untilSet<T>(isLate: () => boolean, look: () => Promise<T | null>): Promise<T | null> {
  for (let wait = firstLookMs; ; wait = Math.min(2 * wait, longestLookMs)) {
    const found = await look();
    if (found !== null || isLate()) return found;
    await sleep(wait);
  }
}
