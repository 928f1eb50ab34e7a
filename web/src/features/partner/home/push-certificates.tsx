import { limits, pushRoutes } from '@portal/contracts';
import { CertificateNotices } from '../../../components/certificates/certificate-notices.tsx';
import { useApiQuery } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';

/** Tells of the company's certificates that end soon. */
export function PushCertificates() {
  const { partner } = usePartnerSession();
  const { data } = useApiQuery(pushRoutes.listCertifications, {
    params: { pid: partner.id },
    query: { perPage: limits.maxPageSize },
  });
  if (!data || !('totalCount' in data)) return null;
  return <CertificateNotices certificates={data.certifications} to="/partner/certifications" />;
}
