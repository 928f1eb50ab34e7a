/** Role bits of platform and unit administrators. A check passes if any requested bit is set. */
export const adminRoleBits = {
  canReadTenantInformation: 1,
  fileAdministration: 2,
  userAdministration: 4,
  groupAdministration: 8,
  partnerAdministration: 16,
  unitAdministration: 32,
  superAdministration: 64,
} as const;

/** The cumulative roles that an administrator may hold, from lowest to highest. */
export const adminRoles = [1, 3, 7, 15, 31, 63, 127] as const;

/** The highest role that a unit's administrator may hold, and gets unless told otherwise. */
export const unitAdminRole = 63;

/** Role bits of the people of a tenant; a plain user holds none. */
export const userRoleBits = {
  pushApi: 1,
  developer: 16,
  admin: 268_435_456,
} as const;

export const allUserRoleBits = userRoleBits.pushApi | userRoleBits.developer | userRoleBits.admin;

/** The roles that a user may have, which are all combinations of the bits. */
export const userRoles: readonly number[] = Object.values(userRoleBits).reduce<number[]>(
  (roles, bit) => [...roles, ...roles.map((role) => role | bit)],
  [0],
);

/** The roles that a group may carry. */
export const groupRoles = [0, userRoleBits.admin] as const;

/** True when `role` holds any bit of `wanted`; a check that wants nothing passes. */
export function hasAnyRole(role: number, wanted: number): boolean {
  return wanted === 0 || (role & wanted) !== 0;
}
