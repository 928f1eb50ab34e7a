import { fileRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { DeliveryState } from '../../../components/files/file-parts.tsx';
import { FileTable } from '../../../components/files/file-table.tsx';
import { useTenant } from '../../../components/tenant.ts';
import { useApiList } from '../../../lib/api.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { usePaging } from '../../../lib/list/use-paging.ts';

/** The files that are assigned to a group, delivered already or not. */
export function GroupFiles({ groupId }: { groupId: number }) {
  const { t } = useTranslation(['groups', 'files']);
  const { id: pid } = useTenant();
  const paging = usePaging();
  const { page, perPage } = paging;
  const query = useApiList(fileRoutes.listFiles, {
    params: { pid },
    query: { group: groupId, includeIconUrl: true, page, perPage },
  });
  const reply = query.data && 'totalCount' in query.data ? query.data : undefined;
  usePageWithin(paging, query, reply?.totalPage);
  return (
    <FileTable
      caption={t('files.title')}
      query={query}
      reply={reply}
      paging={paging}
      columns={[
        { id: 'delivery', header: t('files:delivery'), cell: (file) => <DeliveryState file={file} /> },
      ]}
      none={t('files.empty')}
    />
  );
}
