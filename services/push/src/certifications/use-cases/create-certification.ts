import { pushEvents } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { Dependencies } from '../../dependencies.ts';
import { insertCertification, saveSecrets } from '../data/certification-repository.ts';
import {
  type CertificationChange,
  certificationStateOf,
  changedCertification,
  uncertified,
} from '../domain/certification.ts';

/**
 * Registers a certification of a partner, or of the operator, which has no name.
 * @throws AppError `E40002` on `apiKey` and on `certificate`; `E40030`; `E40029` on `name`; `E40032` for a second one of the operator
 */
export async function createCertification(
  {
    acceptsTokenUri,
    cipher,
    clock,
    store,
  }: Pick<Dependencies, 'acceptsTokenUri' | 'cipher' | 'clock' | 'store'>,
  owner: { readonly partnerId: number; readonly name: string | null },
  fields: CertificationChange,
): Promise<{ id: number }> {
  const { content, secrets } = await changedCertification(uncertified, fields, acceptsTokenUri);
  const { partnerId } = owner;
  return store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const made = await insertCertification(db, owner, content, clock.now());
    await saveSecrets(db, cipher, made, secrets);
    outbox.append(pushEvents.certificationCreated, {
      subject: made.id,
      partnerId: partnerId === operator ? null : partnerId,
      data: certificationStateOf(made),
    });
    return { id: made.id };
  });
}
