import { userRoleBits } from '@portal/contracts';

export function isAdmin(role: number): boolean {
  return (role & userRoleBits.admin) !== 0;
}
