import { chakra } from '@chakra-ui/react';
import type { deliveryRoutes, RouteReply } from '@portal/contracts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageWithin } from '../../lib/list/use-page-within.ts';
import type { usePaging } from '../../lib/list/use-paging.ts';
import type { ErrorInfo } from '../../ui/feedback/error-info.tsx';
import { DetailSkeleton, ErrorState } from '../../ui/feedback/states.tsx';
import { Pager } from '../../ui/list/pager.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Section } from '../../ui/page/section.tsx';
import { type Version, VersionItem } from './version-item.tsx';

interface VersionLineProps {
  query: {
    data: RouteReply<typeof deliveryRoutes.listVersions> | undefined;
    error: ErrorInfo | null;
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  paging: ReturnType<typeof usePaging>;
  /** Undefined where the caller may put none back. */
  onPutBack: ((version: Version) => void) | undefined;
  /** What else can be done with one. */
  actionsOf?: (version: Version) => ReactNode;
  /** What is opened from here. */
  children: ReactNode;
}

/** Versions as a time line, newest first, each with the way back to it; nothing where there is none. */
export function VersionLine({ actionsOf, children, onPutBack, paging, query }: VersionLineProps) {
  const { t } = useTranslation('files');
  const { data, error } = query;
  usePageWithin(paging, query, data?.totalPage);
  if (data?.totalCount === 0) return null;
  return (
    <Section title={t('versions.title')} lead={t('versions.lead')}>
      <Panel px="5" py="2">
        {error && !data && <ErrorState error={error} onRetry={() => void query.refetch()} />}
        {!error && !data && <DetailSkeleton rows={2} />}
        {data && (
          <chakra.ol aria-label={t('versions.title')}>
            {data.versions.map((version) => (
              <VersionItem
                key={`${version.version} ${version.state}`}
                version={version}
                onPutBack={onPutBack && (() => onPutBack(version))}
              >
                {actionsOf?.(version)}
              </VersionItem>
            ))}
          </chakra.ol>
        )}
      </Panel>
      {data && data.totalPage > 1 && (
        <Pager list={paging} totalPage={data.totalPage} totalCount={data.totalCount} />
      )}
      {children}
    </Section>
  );
}
