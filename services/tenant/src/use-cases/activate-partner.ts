import { foldCase, type RouteInput, tenantEvents } from '@portal/contracts';
import type { confirmSignUp as contract } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { AppError, type Clock } from '@portal/kernel';
import { ofPartner, type Store, type Transaction } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import type { Partner } from '../data/generated/client.ts';
import { lockPartner, savePartner } from '../data/partner-repository.ts';
import { activateSignUp, findSignUp, partnerOfLink } from '../data/sign-up-repository.ts';
import { findOwner, findUnit } from '../data/unit-repository.ts';
import { nextReminderAt } from '../domain/licence-end.ts';
import { changeContract } from '../domain/partner.ts';
import { partnerStateOf } from '../domain/partner-state.ts';
import { endOfSignUp } from '../domain/sign-up.ts';
import { hashOfToken } from './sign-up.ts';
import { tellLicenceChange } from './tell-licence-change.ts';

interface Deps {
  readonly store: Store<TenantDb>;
  readonly clock: Clock;
}

/** Activates the partner of a link. Throws `E40004` for a link that is used, over or of nobody. */
export async function activateByLink(
  { clock, store }: Deps,
  token: string,
  scope: Scope,
): Promise<{ id: number; partnerCode: string }> {
  const now = clock.now();
  // Owners of units are partners as well: all of them can be seen here.
  return store.write(scope, async (tx) => {
    const id = await partnerOfLink(tx.db, hashOfToken(token), now);
    const partner = id === undefined ? null : await lockPartner(tx.db, id);
    if (!partner || !(await activate(tx, partner, now))) throw new AppError('E40004');
    return { id: partner.id, partnerCode: partner.partnerCode };
  });
}

/**
 * Activates a partner that waits for that, if this is the address of the company admin whom the sign-up made, or was given then.
 * Nothing for every other.
 */
export async function confirmSignUp(
  { clock, store }: Deps,
  { email, ofSignedUpAdmin = false, partnerId }: RouteInput<typeof contract>['body'],
  scope: Scope,
): Promise<void> {
  const signUp = await store.read(ofPartner(partnerId), (db) => findSignUp(db, partnerId));
  if (!signUp || signUp.activatedAt !== null) return;
  if (!ofSignedUpAdmin && foldCase(signUp.email) !== foldCase(email)) return;
  await store.write(scope, async (tx) => {
    const partner = await lockPartner(tx.db, partnerId);
    if (partner) await activate(tx, partner, clock.now());
  });
}

/** Lets a partner be used from now on, when the term of its plan begins. False where it is used already. */
async function activate(tx: Transaction<TenantDb>, present: Partner, now: Date): Promise<boolean> {
  const { db, outbox } = tx;
  const { id, partnerCode } = present;
  if (!(await activateSignUp(db, id, now))) return false;
  const contract = { ...changeContract(present, {}, now), licenseExpiredOn: await endOf(db, present, now) };
  const { revision } = await savePartner(
    db,
    present,
    { ...contract, partnerCode, nextReminderAt: nextReminderAt(contract, now) },
    now,
  );
  outbox.append(tenantEvents.partnerUpdated, {
    subject: id,
    partnerId: id,
    data: partnerStateOf(id, { ...contract, partnerCode, revision }),
  });
  await tellLicenceChange(tx, { id, before: present, after: contract }, { name: 'sign-up' }, now);
  return true;
}

/** What an administrator has set meanwhile stays. */
async function endOf(db: TenantDb, present: Partner, now: Date): Promise<Date | null> {
  const { contractRank, licenseExpiredOn, unitId } = present;
  const signUp = await findSignUp(db, present.id);
  const isAsOpened =
    contractRank === signUp?.contractRank && licenseExpiredOn?.getTime() === signUp.openedUntil?.getTime();
  if (!signUp || !isAsOpened || (contractRank !== 'free' && contractRank !== 'trial'))
    return licenseExpiredOn;
  const { inheritsExpiry: inherits } = signUp;
  const unit = inherits ? await findUnit(db, unitId) : null;
  return endOfSignUp(contractRank, { inherits, owner: unit && (await findOwner(db, unit)) }, now);
}
