import { chakra } from '@chakra-ui/react';
import { fileRoutes, type RouteReply } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { FileTable } from '../../../components/files/file-table.tsx';
import { useApiList } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { usePaging } from '../../../lib/list/use-paging.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ThroughGroups } from './through-groups.tsx';

type FileAhead = RouteReply<typeof fileRoutes.listUserFilesAhead>['files'][number];

/** What a user's players will get at a time that is reserved, as things stand, the next one first. */
export function FilesAhead({ userId }: { userId: number }) {
  const { t } = useTranslation(['users', 'files']);
  const format = useFormat();
  const { partner } = usePartnerSession();
  const paging = usePaging();
  const { page, perPage } = paging;
  const query = useApiList(fileRoutes.listUserFilesAhead, {
    params: { pid: partner.id, id: userId },
    query: { page, perPage },
  });
  const reply = query.data;
  usePageWithin(paging, query, reply?.totalPage);

  const columns: readonly Column<FileAhead>[] = [
    {
      id: 'when',
      header: t('ahead.when'),
      cell: ({ deliverReservationAt, updateReservationAt }) => (
        <chakra.ul display="grid" gap="1" fontVariantNumeric="tabular-nums">
          {deliverReservationAt !== null && (
            <li>{t('ahead.delivery', { time: format.dateTimeWithZone(deliverReservationAt) })}</li>
          )}
          {updateReservationAt !== null && (
            <li>{t('ahead.update', { time: format.dateTimeWithZone(updateReservationAt) })}</li>
          )}
        </chakra.ul>
      ),
    },
    {
      id: 'why',
      header: t('ahead.why'),
      cell: ({ groups }) => <ThroughGroups groups={groups} />,
    },
  ];
  return (
    <FileTable
      caption={t('ahead.title')}
      query={query}
      reply={reply}
      paging={paging}
      columns={columns}
      none={t('ahead.none')}
    />
  );
}
