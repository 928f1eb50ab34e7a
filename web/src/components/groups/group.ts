import { userRoleBits } from '@portal/contracts';
import { useTranslation } from 'react-i18next';

export const groupDetailPath = '/partner/groups/detail/';

export function useRoleName(): (role: number) => string {
  const { t } = useTranslation('groups');
  return (role) => (role === userRoleBits.admin ? t('roles.admin') : t('roles.user'));
}
