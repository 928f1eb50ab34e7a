import { Badge, chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import type { Application } from './application-rules.ts';

/** What an application goes to that goes to all companies: those of its unit, or of the platform. */
export const allDestinations = (unitId: number | null) =>
  unitId === null ? 'destinations.all' : 'destinations.allOfUnit';

/** Whether tenants have it, and how far an upload is that is not complete. */
export function ApplicationStatus({ application }: { application: Pick<Application, 'status' | 'upload'> }) {
  const { t } = useTranslation('applications');
  const format = useFormat();
  const { status, upload } = application;
  return (
    <>
      <Badge colorPalette={status === 'published' ? 'success' : 'info'}>{t(`statuses.${status}`)}</Badge>
      {upload && (
        <chakra.span
          display="block"
          mt="0.5"
          fontSize="xs"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
        >
          {t(status === 'published' ? 'newVersionStored' : 'stored', {
            stored: format.fileSize(upload.storedBytes),
            size: format.fileSize(upload.fileSize ?? upload.storedBytes),
          })}
        </chakra.span>
      )}
    </>
  );
}

/** Where an application goes, in a line. */
export function Destination({
  application,
}: {
  application: Pick<Application, 'allDeliverFlag' | 'partnerCount' | 'partners' | 'unitId'>;
}) {
  const { t } = useTranslation('applications');
  const { allDeliverFlag, partnerCount, partners, unitId } = application;
  if (allDeliverFlag) return t(allDestinations(unitId));
  if (partnerCount === 0) return <chakra.span color="fg.muted">{t('noDestination')}</chakra.span>;
  const [first] = partners;
  return partnerCount === 1
    ? first?.name
    : t('partnersCounted', { name: first?.name, count: partnerCount - 1 });
}
