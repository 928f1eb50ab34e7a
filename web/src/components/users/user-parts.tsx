import { Badge } from '@chakra-ui/react';
import { hasAnyRole, userRoleBits } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { SecondLine } from '../../ui/list/second-line.tsx';
import { LongWord } from '../../ui/long-word.tsx';
import { Tags } from '../../ui/tags.tsx';
import type { UserDetail } from './user.ts';

export const roleNames = ['admin', 'developer', 'pushApi'] as const;

/** The roles of a user by name; who has none is a plain user. */
export function useRoleNames(): (role: number) => string[] {
  const { t } = useTranslation('users');
  return (role) => {
    const held = roleNames.filter((name) => hasAnyRole(role, userRoleBits[name]));
    return held.length === 0 ? [t('roles.user')] : held.map((name) => t(`roles.${name}`));
  };
}

/** What a user signs in with. */
export const loginOf = ({ email, loginUserId }: Pick<UserDetail, 'email' | 'loginUserId'>): string =>
  email ?? loginUserId ?? '';

/** How many groups are named before the rest is counted. */
const shownGroups = 2;

export function UserGroups({ groups, all = false }: { groups: UserDetail['groups']; all?: boolean }) {
  const { t } = useTranslation('users');
  return (
    <Tags names={groups.map(({ name }) => name)} none={t('noGroups')} most={all ? undefined : shownGroups} />
  );
}

/** Marks who was made inactive by provisioning; the others have no mark. */
export function InactiveMark({ user }: { user: Pick<UserDetail, 'active'> }) {
  const { t } = useTranslation('users');
  return user.active ? null : <Badge colorPalette="warning">{t('states.inactive')}</Badge>;
}

/** A name with what one signs in with below it. */
export function LoginBelow({ user }: { user: Pick<UserDetail, 'email' | 'loginUserId'> }) {
  return (
    <SecondLine>
      <LongWord>{loginOf(user)}</LongWord>
    </SecondLine>
  );
}

/** One of the two that a user may sign in with, where each has a column of its own. */
export function LoginOrNone({ value }: { value: string | null }) {
  const { t } = useTranslation('ui');
  if (value === null) return <span className="none">{t('none')}</span>;
  return <LongWord>{value}</LongWord>;
}
