import { isLicenceOver, tenantEvents } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import { concernsRecord, type JobRun, ofPartner, type Store, type Transaction } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import type { Partner } from '../data/generated/client.ts';
import { deletePartnerRow, lockPartner } from '../data/partner-repository.ts';
import { hasData } from '../data/partner-views.ts';
import { dropSignUp, findUnactivated } from '../data/sign-up-repository.ts';

interface Deps {
  readonly store: Store<TenantDb>;
  readonly clock: Clock;
}

/**
 * Deletes a partner; every service then lets go of what it has of it. Throws `E40402` for an unknown partner, `E40032` while the
 * licence lasts and there are users, groups or files.
 */
export async function deletePartner({ clock, store }: Deps, id: number): Promise<void> {
  await store.write(ofPartner(id), async ({ db, outbox }) => {
    const partner = await lockPartner(db, id);
    if (!partner) throw new AppError('E40402');
    if (!isLicenceOver(partner.licenseExpiredOn, clock.now()) && (await hasData(db, id))) {
      throw new AppError('E40032', [], { messageKey: 'companyHoldsData' });
    }
    concernsRecord({ id, name: partner.name });
    await drop({ db, outbox }, partner);
  });
}

const batch = 100;

/** Deletes the partners that signed up and were not activated in time; their addresses may sign up again. */
export async function deleteUnactivated({ clock, store }: Deps, { scope, stopping }: JobRun): Promise<void> {
  while (!stopping.aborted) {
    const due = await store.read(scope, (db) => findUnactivated(db, { now: clock.now(), take: batch }));
    for (const id of due) {
      await store.write(ofPartner(id), async (tx) => {
        const partner = await lockPartner(tx.db, id);
        if (partner?.awaitsActivation) await drop(tx, partner);
        else if (!partner) await dropSignUp(tx.db, id);
      });
    }
    if (due.length < batch) return;
  }
}

async function drop({ db, outbox }: Transaction<TenantDb>, partner: Partner): Promise<void> {
  const { awaitsActivation, id } = partner;
  if (awaitsActivation) await dropSignUp(db, id);
  await deletePartnerRow(db, id);
  outbox.append(tenantEvents.partnerDeleted, { subject: id, partnerId: id, data: { partnerId: id } });
}
