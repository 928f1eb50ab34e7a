import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { usePaging } from '../../lib/list/use-paging.ts';
import type { ErrorInfo } from '../../ui/feedback/error-info.tsx';
import { ErrorState } from '../../ui/feedback/states.tsx';
import { type Column, DataTable } from '../../ui/list/data-table.tsx';
import { NameLink } from '../../ui/list/name-link.tsx';
import { Pager } from '../../ui/list/pager.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { useTenantLinks } from '../tenant.ts';
import type { FileRow } from './file.ts';
import { FileIcon, FileNameLine } from './file-parts.tsx';

type ShownFile = Pick<FileRow, 'id' | 'name' | 'fileName' | 'fileSize' | 'iconSignedUrl'>;

interface FileTableProps<F extends ShownFile> {
  caption: string;
  query: { error: ErrorInfo | null; isPlaceholderData: boolean; refetch: () => unknown };
  reply: { files: readonly F[]; totalPage: number; totalCount: number } | undefined;
  paging: ReturnType<typeof usePaging>;
  /** What is told of a file beside its name. */
  columns: readonly Column<F>[];
  /** Said instead of an empty table. */
  none: string;
}

/** Files on the page of something else. */
export function FileTable<F extends ShownFile>({
  caption,
  columns,
  none,
  paging,
  query,
  reply,
}: FileTableProps<F>) {
  const { t } = useTranslation('files');
  const { toDetail } = useTenantLinks();
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
        <chakra.p color="fg.muted">{none}</chakra.p>
      </Panel>
    );
  }
  const name: Column<F> = {
    id: 'name',
    header: t('name'),
    cell: (file) => (
      <Flex align="center" gap="3">
        <FileIcon file={file} />
        <chakra.span minW="0">
          <NameLink to={toDetail('files', file.id)}>{file.name}</NameLink>
          <FileNameLine file={file} />
        </chakra.span>
      </Flex>
    ),
    isRowHeader: true,
    width: '50%',
  };
  return (
    <Panel>
      <DataTable
        caption={caption}
        columns={[name, ...columns]}
        rows={reply?.files}
        rowId={({ id }) => id}
        rowName={(file) => file.name}
        stale={query.isPlaceholderData}
        expectedRows={3}
      />
      {reply && reply.totalPage > 1 && (
        <Pager list={paging} totalPage={reply.totalPage} totalCount={reply.totalCount} />
      )}
    </Panel>
  );
}
