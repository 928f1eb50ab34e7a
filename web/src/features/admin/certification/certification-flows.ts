import type { CertificateValues } from '../../../components/certificates/certificate-rules.ts';
import { secretFields } from '../../../components/certificates/secret-fields.ts';
import type { FlowDefinition } from '../../../ui/flow/flow-store.ts';

export const certificationPath = '/admin/certification';

const flow = (step: 'create' | 'edit', pages: string): FlowDefinition<CertificateValues> => ({
  name: `admin-certification-${step}`,
  paths: {
    form: `${certificationPath}/${step}`,
    confirm: `${pages}/confirm`,
    complete: `${pages}/complete`,
  },
  memoryOnly: secretFields,
});

export const certificationCreateFlow = flow('create', certificationPath);
export const certificationEditFlow = flow('edit', `${certificationPath}/edit`);
