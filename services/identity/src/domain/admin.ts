import { adminRoles } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';

export interface NewAdmin {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: number;
  /** Null for one of the platform. */
  readonly unitId: number | null;
}

/** Who makes an administrator. */
export interface Giver {
  readonly role: number;
  readonly unitId: number | null;
}

/** The product itself, which makes the first administrators. */
export const platform: Giver = { role: 127, unitId: null };

/**
 * Throws `E40002` on `role` for one that is not cumulative, `E40301` when the giver lacks a bit of it, and `E40401` on
 * `unitId` for another unit than the giver's own.
 */
export function requireMayGive(admin: Pick<NewAdmin, 'role' | 'unitId'>, giver: Giver): void {
  if (!adminRoles.some((role) => role === admin.role)) throw fieldError('E40002', 'role', 'invalidValue');
  if ((admin.role & ~giver.role) !== 0) throw new AppError('E40301');
  if (giver.unitId !== null && giver.unitId !== admin.unitId)
    throw fieldError('E40401', 'unitId', 'notFound');
}
