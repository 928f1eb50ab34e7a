import { allUserRoleBits, userRoleBits } from '@portal/contracts';

export function isAdmin(role: number): boolean {
  return (role & userRoleBits.admin) !== 0;
}

/** Every role with the admin bit: a list is what an index can be asked for, a bit is not. */
export const adminRoles: number[] = [0, userRoleBits.pushApi, userRoleBits.developer, allUserRoleBits]
  .map((bits) => bits | userRoleBits.admin)
  .sort((a, b) => a - b);
