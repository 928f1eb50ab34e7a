import { limits, pushRoutes } from '@portal/contracts';
import { lazy, Suspense } from 'react';
import { certificateStateOf } from '../../../components/certificates/certificate-state.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { loadTexts } from '../../../lib/i18n.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';

/** Apart from the page, which is a part of the first load: there is something to tell on few days of a year. */
const CertificateNotices = lazy(async () => {
  const [{ CertificateNotices: Notices }] = await Promise.all([
    import('../../../components/certificates/certificate-notices.tsx'),
    loadTexts(['certificates']),
  ]);
  return { default: Notices };
});

/** Tells of the company's certificates that end soon. */
export function PushCertificates() {
  const { partner } = usePartnerSession();
  const { data } = useApiQuery(pushRoutes.listCertifications, {
    params: { pid: partner.id },
    query: { perPage: limits.maxPageSize },
  });
  if (!data || !('totalCount' in data)) return null;
  const ending = data.certifications.filter(
    ({ certificateExpiresAt: end }) => end !== null && certificateStateOf(end) !== 'running',
  );
  if (ending.length === 0) return null;
  return (
    <Suspense>
      <CertificateNotices certificates={ending} to="/partner/certifications" />
    </Suspense>
  );
}
