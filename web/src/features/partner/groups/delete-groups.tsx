import { limits, userRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { DeleteUnlessInUse } from '../../../components/record/delete-unless-in-use.tsx';
import type { DeleteRecordProps } from '../../../components/record/record.ts';
import { userListPath } from '../../../components/users/user.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { ErrorState, PageSpinner } from '../../../ui/feedback/states.tsx';
import { Link } from '../../../ui/link.tsx';
import type { GroupDetail } from './group-body.tsx';

const isInUse = ({ fileCount, userCount }: GroupDetail) => userCount + fileCount > 0;

type Props = DeleteRecordProps<GroupDetail>;

/** Asks before groups are deleted. Those with users or files cannot be: that is told before, with ways to both. */
export function DeleteGroups({ chosen, ...props }: Props) {
  const { matching } = chosen;
  // Of more groups than a page has, the server alone can tell.
  if (matching !== undefined && matching <= limits.maxPageSize) {
    return <OfAPage {...props} />;
  }
  return <Question chosen={chosen} {...props} />;
}

/** All groups that the filter shows, as they are known by name. */
function OfAPage(props: Omit<Props, 'chosen'>) {
  const { filter, onClose } = props;
  const { t } = useTranslation('groups');
  const { partner } = usePartnerSession();
  const { data, error, refetch } = useApiQuery(userRoutes.listGroups, {
    params: { pid: partner.id },
    query: { ...filter, perPage: limits.maxPageSize },
  });
  if (data && 'totalCount' in data) {
    const chosen = { rows: data.groups, matching: undefined };
    return <Question chosen={chosen} {...props} />;
  }
  return (
    <Dialog open title={t('deleteTitle')} onClose={onClose}>
      {error ? <ErrorState error={error} onRetry={refetch} /> : <PageSpinner />}
    </Dialog>
  );
}

function Question(props: Props) {
  const { t } = useTranslation('groups');
  const may = useMay();
  return (
    <DeleteUnlessInUse
      {...props}
      isInUse={isInUse}
      texts={{
        title: (count) => t('inUse.title', { count }),
        text: t('inUse.text'),
        others: (count) => t('inUse.others', { count }),
      }}
      waysOf={({ fileCount, id, userCount }) => (
        <>
          {userCount > 0 && (
            <Link to={`${userListPath}?group=${id}`}>{t('inUse.users', { count: userCount })}</Link>
          )}
          {fileCount > 0 && may('listFiles') && (
            <Link to={`/partner/files?group=${id}`}>{t('inUse.files', { count: fileCount })}</Link>
          )}
        </>
      )}
    />
  );
}
