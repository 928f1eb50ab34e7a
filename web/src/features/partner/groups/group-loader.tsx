import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../../ui/button.tsx';
import type { ErrorInfo } from '../../../ui/feedback/error-info.tsx';
import { DetailSkeleton, ErrorState } from '../../../ui/feedback/states.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { groupListPath } from './group-flows.ts';

interface GroupLoaderProps {
  query: { error: ErrorInfo | null; refetch: () => unknown };
}

/** What stands in the place of a group until it is there. */
export function GroupLoader({ query: { error, refetch } }: GroupLoaderProps) {
  const { t } = useTranslation('groups');
  return (
    <Panel maxW="form" p="6">
      {error ? (
        <ErrorState
          error={error}
          onRetry={() => refetch()}
          action={<ButtonLink to={groupListPath}>{t('toList')}</ButtonLink>}
        />
      ) : (
        <DetailSkeleton rows={5} />
      )}
    </Panel>
  );
}
