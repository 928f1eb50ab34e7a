import { useTranslation } from 'react-i18next';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useTenantLinks } from '../../../components/tenant.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import type { ErrorInfo } from '../../../ui/feedback/error-info.tsx';

interface UserFormLoaderProps {
  queries: readonly { error: ErrorInfo | null; refetch: () => unknown }[];
}

/** What stands in the place of a user until all that is shown of them is there. */
export function UserFormLoader({ queries }: UserFormLoaderProps) {
  const { t } = useTranslation('users');
  const { toList } = useTenantLinks();
  return (
    <RecordLoader
      queries={queries}
      rows={10}
      action={<ButtonLink to={toList('users')}>{t('toList')}</ButtonLink>}
    />
  );
}
