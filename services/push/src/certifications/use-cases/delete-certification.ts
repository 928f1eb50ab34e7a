import { pushEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { concernsRecord, ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { deleteCertificationRows, lockCertification } from '../data/certification-repository.ts';
import { inUse } from '../data/certification-views.ts';

/** Throws `E40401` for one that the partner does not have, `E40031` while notifications need it. */
export async function deleteCertification(
  { store }: Pick<Dependencies, 'store'>,
  key: { readonly partnerId: number; readonly id: number },
): Promise<void> {
  const { id, partnerId } = key;
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const { name } = await lockCertification(db, key);
    if ((await inUse(db, partnerId, [id])).has(id)) throw new AppError('E40031');
    concernsRecord({ id, name: name ?? '' });
    await deleteCertificationRows(db, key);
    outbox.append(pushEvents.certificationDeleted, {
      subject: id,
      partnerId,
      data: { certificationId: id },
    });
  });
}
