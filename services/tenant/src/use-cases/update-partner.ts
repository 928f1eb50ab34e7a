import { tenantEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { AppError, type Clock, fieldError } from '@portal/kernel';
import type { Store, Transaction } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import type { Partner } from '../data/generated/client.ts';
import type { Changer } from '../data/licence-change-repository.ts';
import type { HoldKey } from '../data/licence-hold-repository.ts';
import { lockPartner, savePartner } from '../data/partner-repository.ts';
import { countUaps } from '../data/stored-file-repository.ts';
import { lockUnit } from '../data/unit-repository.ts';
import { nextReminderAt } from '../domain/licence-end.ts';
import { type Contract, changeContract, type PartnerChanges } from '../domain/partner.ts';
import { partnerStateOf } from '../domain/partner-state.ts';
import { requireLicences, type UnitLicences } from '../domain/unit.ts';
import { endHold, holdLicences, type LicenceLimit, settleHold } from './hold-licences.ts';
import { requireLicencesInUseFit } from './require-licences-in-use-fit.ts';
import { tellLicenceChange } from './tell-licence-change.ts';

/** Of a change for which others make the limits anew all the time. */
const mostHolds = 3;

interface Change {
  readonly changes: PartnerChanges;
  readonly by: Changer;
  readonly now: Date;
  /** What the user service holds for it. */
  readonly held: (HoldKey & LicenceLimit) | undefined;
}

/**
 * Changes a partner; what is absent stays, and null clears. Throws `E40402` for an unknown partner, `E40401` on unitId for an
 * unknown unit, `E40014` when the code is taken, what `changeContract` refuses, `E40016` when the unit has too few licences
 * left, `E40023` for less than is in use, `E40017` for fewer `.uap` files than there are, and `E50301` when the user service
 * does not say in time whether less is enough.
 */
export async function updatePartner(
  deps: { readonly store: Store<TenantDb>; readonly clock: Clock },
  id: number,
  changes: PartnerChanges,
  { by, scope }: { readonly scope: Scope; readonly by: Changer },
): Promise<void> {
  let held: Change['held'];
  try {
    for (let holds = 0; holds <= mostHolds; holds += 1) {
      const change = { by, changes, held, now: deps.clock.now() };
      const lower = await deps.store.write(scope, async (tx) => changeOrAsk(tx, id, change));
      if (!lower) {
        held = undefined;
        return;
      }
      if (held) await endHold(deps, held);
      held = undefined;
      held = { ...lower, ...(await holdLicences(deps, id, lower, lower.field)) };
    }
    throw new AppError('E50301');
  } finally {
    if (held) await endHold(deps, held);
  }
}

/** Changes the partner; where that allows less than before and nothing is held for it, changes nothing and answers what is to be held. */
async function changeOrAsk(
  tx: Transaction<TenantDb>,
  id: number,
  { by, changes, held, now }: Change,
): Promise<(LicenceLimit & { readonly field: 'licenseCount' | 'licenseType' }) | undefined> {
  const { db, outbox } = tx;
  const present = await lockPartner(db, id);
  if (!present) throw new AppError('E40402');
  const contract = changeContract(present, changes, now);
  const partnerCode = changes.partnerCode ?? present.partnerCode;
  await requireRoom(db, present, contract);
  await requireUapsFit(db, id, present, contract);
  const { licenseCount, licenseType } = contract;
  const isOfOtherType = licenseType !== present.licenseType;
  const isLower = isOfOtherType || licenseCount < present.licenseCount;
  if (isLower && !(held?.licenseType === licenseType && held.licenseCount === licenseCount)) {
    await requireLicencesInUseFit(db, id, present, contract);
    return { licenseType, licenseCount, field: isOfOtherType ? 'licenseType' : 'licenseCount' };
  }
  const { revision } = await savePartner(
    db,
    present,
    { ...contract, partnerCode, nextReminderAt: reminderOf(present, contract, now) },
    now,
  );
  outbox.append(tenantEvents.partnerUpdated, {
    subject: id,
    partnerId: id,
    data: partnerStateOf(id, { ...contract, partnerCode, revision }),
  });
  // It was given up meanwhile: more may be in use by now.
  if (held && !(await settleHold(tx, held)) && isLower) throw new AppError('E50301');
  await tellLicenceChange({ db, outbox }, { id, before: present, after: contract }, by, now);
  return undefined;
}

/** Another end has its own reminders; what is due of the present one already is not lost with another change. */
function reminderOf(present: Partner, contract: Contract, now: Date): Date | null {
  const isSame =
    contract.licenseExpiredOn?.getTime() === present.licenseExpiredOn?.getTime() &&
    contract.timeZone === present.timeZone;
  return isSame ? present.nextReminderAt : nextReminderAt(contract, now);
}

/** Throws `E40016` unless the unit of the partner has room for what it takes more, or the other one for all that it takes. */
async function requireRoom(db: TenantDb, present: Contract, contract: Contract): Promise<void> {
  const moves = contract.unitId !== present.unitId;
  const more = contract.licenseCount - present.licenseCount;
  if (!moves && more <= 0) return;
  const units = await lockUnits(db, [present.unitId, contract.unitId]);
  const unit = units.get(contract.unitId);
  if (!unit) throw fieldError('E40401', 'unitId', 'notFound');
  if (moves) requireLicences(unit, contract.licenseCount, 'unitId');
  else requireLicences(unit, more);
}

/** In the order of their ids, so that no two wait for each other. */
async function lockUnits(db: TenantDb, ids: readonly number[]): Promise<Map<number, UnitLicences>> {
  const units = new Map<number, UnitLicences>();
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const unit = await lockUnit(db, id);
    if (unit) units.set(id, unit);
  }
  return units;
}

async function requireUapsFit(
  db: TenantDb,
  id: number,
  present: Contract,
  { uapFileLimit }: Contract,
): Promise<void> {
  if (uapFileLimit === present.uapFileLimit || uapFileLimit === 0) return;
  const count = await countUaps(db, id);
  if (uapFileLimit < count) throw fieldError('E40017', 'uapFileLimit', 'uapFilesPresent', { count });
}
