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

type Opened = Created & { readonly contract: Contract };
type CodedPartner = NewPartner & { readonly partnerCode: string };

interface CreatedWithUsers extends Created {
  /** With their passwords, which nobody tells again. Absent where none were wanted. */
  readonly demoUsers?: DemoUsers;
}

/** Of the many numbers of eight digits hardly any is taken. */
const mostTries = 10;

/**
 * Opens a partner in a unit, with licences out of the unit's, and with users to try it with if they are wanted. Throws
 * `E40015` for a free one, and what `insertNewPartner` throws.
 */
export async function createPartner(
  deps: Deps & { readonly seals: Seals },
  { createDemoUsers = false, ...partner }: NewPartner & { readonly createDemoUsers?: boolean | undefined },
  { by, scope }: By,
): Promise<CreatedWithUsers> {
  requireOrderable(partner);
  const now = deps.clock.now();
  return withCode(partner.partnerCode, async (code) =>
    deps.store.write(scope, async (tx) => {
      const opened = await insertNewPartner(tx, { ...partner, partnerCode: code }, by, now);
      const { contract, id, partnerCode } = opened;
      return {
        id,
        partnerCode,
        ...(createDemoUsers && { demoUsers: requestDemoUsers(tx, deps.seals, { ...contract, id }) }),
      };
    }),
  );
}

/**
 * Has `open` open a partner, with a free code where none is given: it is tried again when a code that was drawn is taken. Throws
 * what `open` throws.
 */
export async function withCode<T>(
  partnerCode: string | undefined,
  open: (partnerCode: string) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open(partnerCode ?? freeCode());
    } catch (error) {
      const wasTaken = error instanceof AppError && error.code === 'E40014';
      if (!wasTaken || partnerCode !== undefined || tries === mostTries) throw error;
    }
  }
}

/** Whether it is free the index alone knows: an administrator of a unit does not see the partners of others. */
const freeCode = () => String(randomInt(10_000_000, 100_000_000));

/**
 * Opens a partner in a transaction, which may open many. Throws `E40401` for an unknown unit, `E40014` when the code is taken,
 * `E40016` when the unit has too few licences left, and what `openContract` refuses.
 */
export async function insertNewPartner(
  tx: Transaction<TenantDb>,
  partner: CodedPartner,
  by: Changer,
  now: Date,
): Promise<Opened> {
  const unit = await lockUnit(tx.db, partner.unitId);
  if (!unit) throw fieldError('E40401', 'unitId', 'notFound');
  const contract = openContract(partner, now);
  requireLicences(unit, contract.licenseCount);
  const { partnerCode } = partner;
  const nextReminder = nextReminderAt(contract, now);
  return insertOpened(tx, { contract, partnerCode, nextReminder, awaitsActivation: false }, by, now);
}

/** Stores a partner whose unit is locked and has room, and tells of it. Throws `E40014` when its code is taken. */
export async function insertOpened(
  { db, outbox }: Transaction<TenantDb>,
  {
    awaitsActivation,
    contract,
    nextReminder,
    partnerCode,
  }: {
    readonly contract: Contract;
    readonly partnerCode: string;
    readonly nextReminder: Date | null;
    readonly awaitsActivation: boolean;
  },
  by: Changer,
  now: Date,
): Promise<Opened> {
  const { id, revision } = await insertPartner(
    db,
    { ...contract, partnerCode, nextReminderAt: nextReminder, awaitsActivation },
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
