import { fileRoutes, userRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { DeleteRecords, type Matching } from '../../../components/delete-records.tsx';
import { useTenant } from '../../../components/tenant.ts';
import { useApi } from '../../../lib/api.ts';

interface DeleteUsersProps {
  /** Those to delete; none closes the dialog. */
  users: readonly { id: number; name: string }[];
  /** Instead, all that a list shows. */
  matching?: Matching | undefined;
  onClose: () => void;
  onDeleted: () => void | Promise<void>;
}

export function DeleteUsers({ users, matching, onClose, onDeleted }: DeleteUsersProps) {
  const { t } = useTranslation('users');
  const api = useApi();
  const { id: pid } = useTenant();
  return (
    <DeleteRecords
      records={users}
      matching={matching}
      remove={(ids) => api.call(userRoutes.deleteUsers, { params: { pid }, body: { ids: [...ids] } })}
      own={(id) => [
        [userRoutes.getUser.id, { id }],
        [fileRoutes.listUserFiles.id, { id }],
        [fileRoutes.listUserFilesAhead.id, { id }],
      ]}
      stale={[userRoutes.listUsers.id, userRoutes.listGroups.id, userRoutes.getGroup.id]}
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
