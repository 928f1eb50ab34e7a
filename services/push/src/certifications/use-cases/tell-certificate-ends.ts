import { formatDateTime, pushEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type JobRun, ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { findEnding, lockCertification, saveEndTold } from '../data/certification-repository.ts';
import { dueEndNotice } from '../domain/certificate-end.ts';

const batch = 100;

type Needed = Pick<Dependencies, 'clock' | 'store'>;

/** Tells of tenants' certificates that end in 30 and in 7 days: once each. That of the operator has no company admins. */
export async function tellCertificateEnds(deps: Needed, { scope, stopping }: JobRun): Promise<void> {
  const now = deps.clock.now();
  let after = 0;
  while (!stopping.aborted) {
    const ending = await deps.store.read(scope, async (db) => findEnding(db, { after, now, take: batch }));
    for (const one of ending) {
      if (dueEndNotice(one, now) !== undefined) await tellOne(deps, one, now);
      after = one.id;
    }
    if (ending.length < batch) return;
  }
}

/** Of two instances at one moment the later one sees what the earlier has told. */
async function tellOne(
  { store }: Needed,
  key: { readonly partnerId: number; readonly id: number },
  now: Date,
): Promise<void> {
  await store.write(ofPartner(key.partnerId), async ({ db, outbox }) => {
    const certification = await lockCertification(db, key).catch((error: unknown) => {
      // Deleted meanwhile.
      if (error instanceof AppError && error.code === 'E40401') return undefined;
      throw error;
    });
    const days = certification && dueEndNotice(certification, now);
    if (!certification?.certificateExpiresAt || days === undefined) return;
    await saveEndTold(db, key, days);
    outbox.append(pushEvents.certificationEnding, {
      subject: key.id,
      partnerId: key.partnerId,
      data: {
        certificationId: key.id,
        name: certification.name ?? '',
        certificateExpiresAt: formatDateTime(certification.certificateExpiresAt),
        days,
      },
    });
  });
}
