import { adminRoles, unitAdminRole } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';

export interface NewAdmin {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: number;
  /** Null for one of the platform. */
  readonly unitId: number | null;
}

/** Who makes, changes or deletes an administrator. */
export interface Giver {
  /** Null for the product itself. */
  readonly adminId: number | null;
  readonly role: number;
  readonly unitId: number | null;
}

/** The role with every right, which somebody of the platform always has. */
export const allRights = Math.max(...adminRoles);

/** The product itself, which makes the first administrators. */
export const platform: Giver = { adminId: null, role: allRights, unitId: null };

interface Holder {
  readonly id: number;
  readonly role: number;
}

const lacks = (role: number, bits: number): boolean => (bits & ~role) !== 0;

/** Throws `E40401` for another unit than the giver's own; null is the platform. */
export function requireReach(giver: Pick<Giver, 'unitId'>, unitId: number | null): void {
  if (giver.unitId === null || giver.unitId === unitId) return;
  throw new AppError(unitId === null ? 'E40301' : 'E40401');
}

/**
 * Throws `E40002` on `role` for one that is not cumulative, and `E40301` when the giver lacks a bit of it, or it is more than
 * a unit's administrator can have.
 */
export function requireMayGive({ role, unitId }: Pick<NewAdmin, 'role' | 'unitId'>, giver: Giver): void {
  if (!adminRoles.some((known) => known === role)) throw fieldError('E40002', 'role', 'invalidValue');
  if (lacks(giver.role, role) || (unitId !== null && lacks(unitAdminRole, role)))
    throw new AppError('E40301');
}

/** Throws `E40301` where an administrator has more rights than who would change or delete them. */
export function requireMayChange({ role }: Holder, giver: Giver): void {
  if (lacks(giver.role, role)) throw new AppError('E40301');
}

/** Nobody takes a right from themselves. Throws `E40301`. */
export function requireNotLowered({ id, role: before }: Holder, role: number, giver: Giver): void {
  if (id === giver.adminId && lacks(role, before)) throw new AppError('E40301');
}

/** Throws `E40301` for oneself. */
export function requireOther({ id }: Pick<Holder, 'id'>, giver: Giver): void {
  if (id === giver.adminId) throw new AppError('E40301');
}
