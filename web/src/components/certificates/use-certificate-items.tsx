import { useTranslation } from 'react-i18next';
import type { DescriptionItem } from '../../ui/page/description-list.tsx';
import { CertificateEnd } from './certificate-end.tsx';
import type { Certificate, CertificateValues } from './certificate-rules.ts';
import { useCertificateLabels } from './use-certificate-form.ts';

/** What a confirmation shows of the two parts; with the certificate before, changes are marked. */
export function useCertificateItems(values: CertificateValues, before?: Certificate): DescriptionItem[] {
  const { t } = useTranslation(['certificates', 'ui']);
  const labels = useCertificateLabels();
  const { deletesCertificate, deletesKey, keyFile, p12, pem } = values;

  const android = (): DescriptionItem => {
    const project = before?.projectId ?? undefined;
    const was = project ?? t('none');
    if (keyFile) return { label: t('android'), value: keyFile.name, ...(before && { before: was }) };
    if (deletesKey && project) return { label: t('android'), value: t('taken'), before: was };
    return { label: t('android'), value: was };
  };
  const ios = (): DescriptionItem => {
    const was = before?.hasCertificate ? (before.certificationFileName ?? before.topic) : t('none');
    if (p12) return { label: labels.p12, value: p12.name, ...(before && { before: was }) };
    if (deletesCertificate && before?.hasCertificate)
      return { label: labels.p12, value: t('taken'), before: was };
    return { label: labels.p12, value: was };
  };
  return [
    android(),
    ios(),
    ...(p12 && pem
      ? [
          { label: t('subject'), value: pem.subject },
          { label: t('topic'), value: pem.topic ? <code>{pem.topic}</code> : t('ui:none') },
          { label: t('expiresAt'), value: <CertificateEnd expiresAt={pem.certificateExpiresAt} /> },
        ]
      : []),
  ];
}

/** The facts of a certificate that stands. */
export function useCertificateFacts(certificate: Certificate): DescriptionItem[] {
  const { t } = useTranslation(['certificates', 'ui']);
  const { certificationFileName, projectId, topic } = certificate;
  return [
    { label: t('android'), value: projectId === null ? t('none') : t('project', { project: projectId }) },
    { label: t('ios'), value: topic ? <code>{topic}</code> : t('none') },
    ...(topic === null
      ? []
      : [
          { label: t('fileName'), value: certificationFileName ?? t('ui:none') },
          {
            label: t('expiresAt'),
            value: <CertificateEnd expiresAt={certificate.certificateExpiresAt} />,
          },
        ]),
    { label: t('inUse'), value: t(certificate.inUse ? 'inUseYes' : 'inUseNo') },
  ];
}
