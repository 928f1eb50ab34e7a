import { randomInt } from 'node:crypto';
import { tenantEvents } from '@portal/contracts';
import type { DemoUsers } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { AppError, type Clock, fieldError } from '@portal/kernel';
import type { Seals, Store, Transaction } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import type { Changer } from '../data/licence-change-repository.ts';
import { insertPartner } from '../data/partner-repository.ts';
import { lockUnit } from '../data/unit-repository.ts';
import { nextReminderAt } from '../domain/licence-end.ts';
import { type Contract, type NewPartner, openContract, requireOrderable } from '../domain/partner.ts';
import { partnerStateOf } from '../domain/partner-state.ts';
import { requireLicences } from '../domain/unit.ts';
import { requestDemoUsers } from './request-demo-users.ts';
import { tellLicenceChange } from './tell-licence-change.ts';

interface Deps {
  readonly store: Store<TenantDb>;
  readonly clock: Clock;
}

interface By {
  readonly scope: Scope;
  readonly by: Changer;
}

interface Created {
  readonly id: number;
  readonly partnerCode: string;
}

interface CreatedWithUsers extends Created {
  /** With their passwords, which nobody tells again. Absent where none were wanted. */
  readonly demoUsers?: DemoUsers;
}

type SignedUpPartner = NewPartner & {
  readonly contractRank: 'free' | 'trial';
  /** The application that it is to have from the start. */
  readonly applicationId?: number | null;
};

/** Of the many numbers of eight digits hardly any is taken. */
const mostTries = 10;

/**
 * Opens a partner in a unit, with licences out of the unit's, and with users to try it with if they are wanted. Throws
 * `E40015` for a free one, and what `createPartnerBySignUp` throws.
 */
export async function createPartner(
  deps: Deps & { readonly seals: Seals },
  { createDemoUsers = false, ...partner }: NewPartner & { readonly createDemoUsers?: boolean | undefined },
  by: By,
): Promise<CreatedWithUsers> {
  requireOrderable(partner);
  return open(deps, partner, by, (tx, { contract, id, partnerCode }) => ({
    id,
    partnerCode,
    ...(createDemoUsers && { demoUsers: requestDemoUsers(tx, deps.seals, { ...contract, id }) }),
  }));
}

/**
 * Opens a partner as somebody who signs up does, which may be a free one. Throws `E40401` for an unknown unit, `E40014` when
 * the code is taken, `E40016` when the unit has too few licences left, and what `openContract` refuses.
 */
export async function createPartnerBySignUp(
  deps: Deps,
  { applicationId = null, ...partner }: SignedUpPartner,
  scope: Scope,
): Promise<Created> {
  const by = { scope, by: { name: 'sign-up' } };
  return open(deps, partner, by, ({ outbox }, { id, partnerCode }) => {
    outbox.append(tenantEvents.partnerSignedUp, {
      subject: id,
      partnerId: id,
      data: { partnerId: id, unitId: partner.unitId, contractRank: partner.contractRank, applicationId },
    });
    return { id, partnerCode };
  });
}

/** @param andThen what else is done in the transaction; it answers for the whole */
async function open<T>(
  deps: Deps,
  partner: NewPartner,
  { by, scope }: By,
  andThen: (tx: Transaction<TenantDb>, opened: Created & { readonly contract: Contract }) => T,
): Promise<T> {
  const { partnerCode } = partner;
  const now = deps.clock.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await deps.store.write(scope, async (tx) =>
        andThen(
          tx,
          await insertNewPartner(tx, { ...partner, partnerCode: partnerCode ?? freeCode() }, by, now),
        ),
      );
    } catch (error) {
      const wasTaken = error instanceof AppError && error.code === 'E40014';
      if (!wasTaken || partnerCode !== undefined || tries === mostTries) throw error;
    }
  }
}

/** Whether it is free the index alone knows: an administrator of a unit does not see the partners of others. */
const freeCode = () => String(randomInt(10_000_000, 100_000_000));

/** Opens a partner in a transaction, which may open many. Throws what `createPartnerBySignUp` throws. */
export async function insertNewPartner(
  { db, outbox }: Transaction<TenantDb>,
  partner: NewPartner & { readonly partnerCode: string },
  by: Changer,
  now: Date,
): Promise<Created & { readonly contract: Contract }> {
  const { partnerCode } = partner;
  const unit = await lockUnit(db, partner.unitId);
  if (!unit) throw fieldError('E40401', 'unitId', 'notFound');
  const contract = openContract(partner, now);
  requireLicences(unit, contract.licenseCount);
  const { id, revision } = await insertPartner(
    db,
    { ...contract, partnerCode, nextReminderAt: nextReminderAt(contract, now) },
    now,
  );
  outbox.append(tenantEvents.partnerCreated, {
    subject: id,
    partnerId: id,
    data: partnerStateOf(id, { ...contract, partnerCode, revision }),
  });
  await tellLicenceChange({ db, outbox }, { id, before: null, after: contract }, by, now);
  return { id, partnerCode, contract };
}
