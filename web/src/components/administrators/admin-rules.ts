import { adminRoles, email, limits, newPassword, requiredLine } from '@portal/contracts';
import { z } from 'zod';

/** An administrator of the platform or of a unit. */
export interface Administrator {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: number;
  readonly twoFactor: boolean;
  readonly lastLoginAt: string | null;
  readonly createdAt: string;
}

export type AdminRole = (typeof adminRoles)[number];

export type AdminValues = { name: string; email: string; password: string; role: AdminRole };

const fields = {
  name: requiredLine(limits.nameMaxLength),
  role: z.literal([...adminRoles]),
};

export const newAdminSchema = z.object({ ...fields, email, password: newPassword });
/** The address stays as it is, whatever was allowed of it once. */
export const editedAdminSchema = z.object({
  ...fields,
  email: z.string(),
  password: z.union([z.literal(''), newPassword]),
});

const isRole = (role: number): role is AdminRole => adminRoles.some((known) => known === role);

export const adminValuesOf = ({ email, name, role }: Administrator): AdminValues => ({
  name,
  email,
  password: '',
  role: isRole(role) ? role : adminRoles[0],
});

/** What is sent of an edited administrator: a password only when one was typed. */
export const editedAdminBody = ({ name, password, role }: AdminValues) => ({
  name,
  role,
  ...(password !== '' && { password }),
});
