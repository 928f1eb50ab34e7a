import { chakra, Flex } from '@chakra-ui/react';
import { fileRoutes, type RouteReply } from '@portal/contracts';
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
import { fileEditFlow } from '../files/file-flows.ts';
import { FileIcon } from '../files/file-parts.tsx';

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
        <chakra.p color="fg.muted">{t('delivered.none')}</chakra.p>
      </Panel>
    );
  }
  const columns: readonly Column<DeliveredFile>[] = [
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
      width: '50%',
    },
    {
      id: 'why',
      header: t('delivered.why'),
      cell: ({ groups }) => (
        <chakra.ul display="grid" gap="1">
          {groups.map(({ id, name, since }) => (
            <li key={id}>
              {id === 0 ? t('files:everyone') : name}{' '}
              <chakra.span
                display="inline-block"
                fontSize="xs"
                color="fg.muted"
                fontVariantNumeric="tabular-nums"
              >
                {t('delivered.since', { time: format.dateTimeWithZone(since) })}
              </chakra.span>
            </li>
          ))}
        </chakra.ul>
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
    <Panel>
      <DataTable
        caption={t('delivered.title')}
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
