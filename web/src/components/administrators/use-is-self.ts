import { useAdminSession } from '../../lib/session/use-session.ts';

/** Whether somebody is who is signed in: e-mail addresses are unique over all administrators, ignoring case. */
export function useIsSelf(): (admin: { readonly email: string }) => boolean {
  const own = useAdminSession().email.toLowerCase();
  return ({ email }) => email.toLowerCase() === own;
}
