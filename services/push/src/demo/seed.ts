import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { operator } from '@portal/storage';
import { createCertification } from '../certifications/use-cases/create-certification.ts';
import type { Dependencies } from '../dependencies.ts';

const app = 'com.example.portal';

/** The operator's certificate of a demo, with keys that only its stand-in takes. */
export async function seedDemo(
  deps: Pick<Dependencies, 'acceptsTokenUri' | 'cipher' | 'clock' | 'store'>,
): Promise<void> {
  const count = await deps.store.read(ofPartner(operator), async (db) =>
    db.certification.count({ where: { partnerId: operator } }),
  );
  if (count > 0) return;
  const { createAuthority, createServiceAccount } = await import('@portal/push-stand-in');
  const authority = await createAuthority();
  try {
    await createCertification(
      deps,
      { partnerId: operator, name: null },
      {
        apiKey: JSON.stringify(await createServiceAccount('demo-project')),
        certificationFileName: 'demo.p12',
        ...(await authority.forApp(app)),
      },
    );
  } catch (error) {
    // Another instance was faster.
    if (!(error instanceof AppError && error.code === 'E40032')) throw error;
  }
}
