import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../../ui/button.tsx';
import type { ErrorInfo } from '../../../ui/feedback/error-info.tsx';
import { DetailSkeleton, ErrorState } from '../../../ui/feedback/states.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { userListPath } from './user-flows.ts';

interface UserFormLoaderProps {
  queries: readonly { error: ErrorInfo | null; refetch: () => unknown }[];
}

/** What stands in the place of a user until all that is shown of them is there. */
export function UserFormLoader({ queries }: UserFormLoaderProps) {
  const { t } = useTranslation('users');
  const error = queries.find((query) => query.error)?.error;
  return (
    <Panel maxW="form" p="6">
      {error ? (
        <ErrorState
          error={error}
          onRetry={() => {
            for (const query of queries) query.refetch();
          }}
          action={<ButtonLink to={userListPath}>{t('toList')}</ButtonLink>}
        />
      ) : (
        <DetailSkeleton rows={10} />
      )}
    </Panel>
  );
}
