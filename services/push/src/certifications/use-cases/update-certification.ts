import { pushEvents } from '@portal/contracts';
import { ofPartner, type Transaction } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { PushDb } from '../../data/db.ts';
import type { Dependencies } from '../../dependencies.ts';
import {
  type Certification,
  lockCertification,
  lockOperatorCertification,
  openCertification,
  saveCertification,
  saveSecrets,
} from '../data/certification-repository.ts';
import {
  type CertificationChange,
  certificationStateOf,
  changedCertification,
} from '../domain/certification.ts';

type Needed = Pick<Dependencies, 'acceptsTokenUri' | 'cipher' | 'clock' | 'store'>;

/**
 * Changes a certification of a partner.
 * @throws AppError `E40401`; `E40002` on `apiKey` and on `certificate`; `E40030` where nothing is left; `E40029` on `name`
 */
export async function updateCertification(
  deps: Needed,
  key: { readonly partnerId: number; readonly id: number },
  { name, ...change }: CertificationChange & { readonly name?: string | undefined },
): Promise<void> {
  await deps.store.write(ofPartner(key.partnerId), async (tx) => {
    const before = await lockCertification(tx.db, key);
    await save(deps, tx, before, { name: name ?? before.name, change });
  });
}

/**
 * Changes the certification of the operator.
 * @throws AppError `E40401` where there is none; `E40002` on `apiKey` and on `certificate`; `E40030` where nothing is left
 */
export async function updateOperatorCertification(deps: Needed, change: CertificationChange): Promise<void> {
  await deps.store.write(ofPartner(operator), async (tx) => {
    const before = await lockOperatorCertification(tx.db);
    await save(deps, tx, before, { name: null, change });
  });
}

async function save(
  { acceptsTokenUri, cipher, clock }: Needed,
  { db, outbox }: Transaction<PushDb>,
  before: Certification,
  { change, name }: { readonly name: string | null; readonly change: CertificationChange },
): Promise<void> {
  const opened = await openCertification(db, cipher, before);
  const { content, secrets } = await changedCertification(opened, change, acceptsTokenUri);
  const after = await saveCertification(db, before, { content, name }, clock.now());
  await saveSecrets(db, cipher, after, secrets);
  outbox.append(pushEvents.certificationUpdated, {
    subject: after.id,
    partnerId: after.partnerId === operator ? null : after.partnerId,
    data: certificationStateOf(after),
  });
}
