import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../../ui/button.tsx';
import type { ErrorInfo } from '../../../ui/feedback/error-info.tsx';
import { RecordLoader } from '../../shared/record-loader.tsx';
import { groupListPath } from './group-flows.ts';

interface GroupLoaderProps {
  query: { error: ErrorInfo | null; refetch: () => unknown };
}

/** What stands in the place of a group until it is there. */
export function GroupLoader({ query }: GroupLoaderProps) {
  const { t } = useTranslation('groups');
  return (
    <RecordLoader
      queries={[query]}
      rows={5}
      action={<ButtonLink to={groupListPath}>{t('toList')}</ButtonLink>}
    />
  );
}
