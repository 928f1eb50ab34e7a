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

type DeliveredFile = RouteReply<typeof fileRoutes.listUserFiles>['files'][number];

/** What a user's players get now, and through which group since when. */
export function DeliveredFiles({ userId }: { userId: number }) {
  const { t } = useTranslation(['users', 'files']);
  const format = useFormat();
  const { partner } = usePartnerSession();
  const paging = usePaging();
  const { page, perPage } = paging;
  const query = useApiList(fileRoutes.listUserFiles, {
    params: { pid: partner.id, id: userId },
    query: { page, perPage },
  });
  const reply = query.data;
  usePageWithin(paging, query, reply?.totalPage);

  const columns: readonly Column<DeliveredFile>[] = [
    {
      id: 'why',
      header: t('delivered.why'),
      cell: ({ groups }) => (
        <ThroughGroups
          groups={groups}
          more={({ since }) => t('delivered.since', { time: format.dateTimeWithZone(since) })}
        />
      ),
    },
    {
      id: 'version',
      header: t('files:version'),
      cell: ({ version }) => format.number(version),
      numeric: true,
      width: '6rem',
      wideOnly: true,
    },
  ];
  return (
    <FileTable
      caption={t('delivered.title')}
      query={query}
      reply={reply}
      paging={paging}
      columns={columns}
      none={t('delivered.none')}
    />
  );
}
