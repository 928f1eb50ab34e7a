import { chakra, Flex } from '@chakra-ui/react';
import { fileRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiList } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { usePaging } from '../../../lib/list/use-paging.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { ErrorState } from '../../../ui/feedback/states.tsx';
import { Link } from '../../../ui/link.tsx';
import { type Column, DataTable } from '../../../ui/list/data-table.tsx';
import { Pager } from '../../../ui/list/pager.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { type FileRow, fileEditFlow } from '../files/file-flows.ts';
import { DeliveryState, FileIcon } from '../files/file-parts.tsx';

/** The files that are assigned to a group, delivered already or not. */
export function GroupFiles({ groupId }: { groupId: number }) {
  const { t } = useTranslation(['groups', 'files']);
  const format = useFormat();
  const { partner } = usePartnerSession();
  const paging = usePaging();
  const { page, perPage } = paging;
  const query = useApiList(fileRoutes.listFiles, {
    params: { pid: partner.id },
    query: { group: groupId, includeIconUrl: true, page, perPage },
  });
  const reply = query.data && 'totalCount' in query.data ? query.data : undefined;
  usePageWithin(paging, reply?.totalPage);

  if (!reply && query.error) {
    return (
      <Panel>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Panel>
    );
  }
  if (reply?.totalCount === 0) {
    return (
      <Panel px="5" py="4">
        <chakra.p color="fg.muted">{t('files.empty')}</chakra.p>
      </Panel>
    );
  }
  const columns: readonly Column<FileRow>[] = [
    {
      id: 'name',
      header: t('files:name'),
      cell: (file) => (
        <Flex align="center" gap="3">
          <FileIcon file={file} />
          <span>
            <Link to={editLink(fileEditFlow.paths.form, file.id, partner.name)}>{file.name}</Link>
            <chakra.span
              display="block"
              fontSize="xs"
              fontWeight="normal"
              color="fg.muted"
              overflowWrap="anywhere"
            >
              {file.fileName} · {format.fileSize(file.fileSize)}
            </chakra.span>
          </span>
        </Flex>
      ),
      isRowHeader: true,
      width: '60%',
    },
    { id: 'delivery', header: t('files:delivery'), cell: (file) => <DeliveryState file={file} /> },
  ];
  return (
    <Panel>
      <DataTable
        caption={t('files.title')}
        columns={columns}
        rows={reply?.files}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        stale={query.isPlaceholderData}
        expectedRows={3}
      />
      {reply && reply.totalPage > 1 && (
        <Pager list={paging} totalPage={reply.totalPage} totalCount={reply.totalCount} />
      )}
    </Panel>
  );
}
