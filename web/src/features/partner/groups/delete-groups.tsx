import { chakra } from '@chakra-ui/react';
import { limits, userRoutes } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeleteAny } from '../../../components/record/delete-record.tsx';
import type { AnyRecord, DeleteRecordProps } from '../../../components/record/record.ts';
import { useRecordLinks } from '../../../components/record/use-record.ts';
import { userListPath } from '../../../components/users/user.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import { Button } from '../../../ui/button.tsx';
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

function Question({ chosen, ...props }: Props) {
  const { t } = useTranslation(['groups', 'ui']);
  const { number } = useFormat();
  const [withoutThem, setWithoutThem] = useState(false);
  const inUse = chosen.matching === undefined ? chosen.rows.filter(isInUse) : [];
  const others = chosen.rows.filter((group) => !isInUse(group));
  if (inUse.length === 0 || withoutThem) {
    return (
      <DeleteAny
        {...props}
        chosen={withoutThem ? { rows: others, matching: undefined } : chosen}
        onClose={() => {
          setWithoutThem(false);
          props.onClose();
        }}
      />
    );
  }
  return (
    <Dialog
      open
      title={t('inUse.title', { count: inUse.length })}
      width="34rem"
      onClose={props.onClose}
      actions={
        <>
          <Button variant="outline" colorPalette="gray" onClick={props.onClose}>
            {t('ui:close')}
          </Button>
          {others.length > 0 && (
            <Button colorPalette="danger" onClick={() => setWithoutThem(true)}>
              {t('inUse.others', { count: number(others.length) })}
            </Button>
          )}
        </>
      }
    >
      {t('inUse.text')}
      <chakra.ul mt="3" maxH="20rem" overflowY="auto" borderWidth="1px" borderRadius="md" color="fg">
        {inUse.map((group) => (
          <InUse key={group.id} record={props.record} group={group} />
        ))}
      </chakra.ul>
    </Dialog>
  );
}

/** What a group still has, and where. */
function InUse({ group, record }: { group: GroupDetail; record: AnyRecord }) {
  const { t } = useTranslation('groups');
  const may = useMay();
  const { toDetail } = useRecordLinks(record);
  const { fileCount, id, name, userCount } = group;
  return (
    <chakra.li px="3" py="2" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <Link to={toDetail(group)} display="inline-block" minH="6" fontWeight="medium" overflowWrap="anywhere">
        {name}
      </Link>
      <chakra.span
        display="flex"
        gap="3"
        fontSize="xs"
        // Each is as high as a finger needs.
        css={{ '& a': { minH: '6', minW: '6' } }}
      >
        {userCount > 0 && (
          <Link to={`${userListPath}?group=${id}`}>{t('inUse.users', { count: userCount })}</Link>
        )}
        {fileCount > 0 && may('listFiles') && (
          <Link to={`/partner/files?group=${id}`}>{t('inUse.files', { count: fileCount })}</Link>
        )}
      </chakra.span>
    </chakra.li>
  );
}
