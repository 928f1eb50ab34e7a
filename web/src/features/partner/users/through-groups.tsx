import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { groupDetailPath } from '../../../components/groups/group.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { Link } from '../../../ui/link.tsx';

interface ThroughGroupsProps<G> {
  groups: readonly G[];
  /** What is said beside the name of a group. */
  more?: (group: G) => string;
}

/** The groups of a user that bring them a file; group 0 is everyone. */
export function ThroughGroups<G extends { id: number; name: string }>({
  groups,
  more,
}: ThroughGroupsProps<G>) {
  const { t } = useTranslation('files');
  const { partner } = usePartnerSession();
  return (
    <chakra.ul display="grid" gap="1">
      {groups.map((group) => (
        <li key={group.id}>
          {group.id === 0 ? (
            t('everyone')
          ) : (
            <Link to={editLink(groupDetailPath, group.id, partner.name)}>{group.name}</Link>
          )}{' '}
          {more && (
            <chakra.span
              display="inline-block"
              fontSize="xs"
              color="fg.muted"
              fontVariantNumeric="tabular-nums"
            >
              {more(group)}
            </chakra.span>
          )}
        </li>
      ))}
    </chakra.ul>
  );
}
