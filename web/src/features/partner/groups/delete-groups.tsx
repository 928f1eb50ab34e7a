import { userRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { DeleteRecords, oneByOne } from '../../shared/delete-records.tsx';

interface DeleteGroupsProps {
  /** Those to delete; none closes the dialog. */
  groups: readonly { id: number; name: string }[];
  onClose: () => void;
  onDeleted: () => void | Promise<void>;
}

export function DeleteGroups({ groups, onClose, onDeleted }: DeleteGroupsProps) {
  const { t } = useTranslation('groups');
  const api = useApi();
  const { partner } = usePartnerSession();
  return (
    <DeleteRecords
      records={groups}
      remove={oneByOne((id) => api.call(userRoutes.deleteGroup, { params: { pid: partner.id, id } }))}
      own={(id) => [[userRoutes.getGroup.id, { id }]]}
      stale={[userRoutes.listGroups.id]}
      texts={{
        title: t('deleteTitle'),
        one: (name) => t('deleteOne', { name }),
        many: (count) => t('deleteMany', { count }),
        done: (count) => t('deleted', { count }),
      }}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}
