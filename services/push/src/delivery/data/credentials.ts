import { ofPartner, type Store } from '@portal/service-kit';
import { operator } from '@portal/storage';
import { z } from 'zod';
import { openCertification } from '../../certifications/data/certification-repository.ts';
import type { PushDb } from '../../data/db.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { ServiceAccount } from '../../providers/fcm-provider.ts';
import type { Credentials } from '../../providers/providers.ts';

const text = z.string();
/** Of the JSON that was checked when it was stored. */
const storedAccount: z.ZodType<ServiceAccount> = z.object({
  project_id: text,
  client_email: text,
  private_key: text,
  private_key_id: text.optional(),
});

/**
 * What a notification is sent with: a certificate of the partner, or the operator's where it names none. Undefined where there is none.
 * Throws where it was sealed with another key.
 */
export async function findCredentials(
  { cipher, store }: Pick<Dependencies, 'cipher'> & { readonly store: Store<PushDb> },
  partnerId: number,
  certificationId: number | null,
): Promise<Credentials | undefined> {
  // The secrets of the operator are in no tenant's scope.
  const owner = certificationId === null ? operator : partnerId;
  return store.read(ofPartner(owner), async (db) => {
    const certification =
      certificationId === null
        ? await db.certification.findFirst({ where: { partnerId: operator } })
        : await db.certification.findUnique({ where: { partnerId_id: { partnerId, id: certificationId } } });
    if (!certification) return undefined;
    const { content, secrets } = await openCertification(db, cipher, certification);
    const { certificate, topic } = content;
    const { apiKey, privateKey } = secrets;
    return {
      key: `${certification.id} ${certification.revision}`,
      fcm: apiKey === null ? null : storedAccount.parse(JSON.parse(apiKey)),
      apns:
        certificate !== null && privateKey !== null && topic !== null
          ? { certificate, privateKey, topic }
          : null,
    };
  });
}
