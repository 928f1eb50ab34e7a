import { pushRoutes } from '@portal/contracts';
import { CertificateNotices } from '../../../components/certificates/certificate-notices.tsx';
import { useApiQuery } from '../../../lib/api.ts';

/** Tells of the operator's certificate that ends soon. */
export function PushCertificate() {
  const { data } = useApiQuery(pushRoutes.getOperatorCertification, {});
  return data ? <CertificateNotices certificates={[data]} to="/admin/certification" /> : null;
}
