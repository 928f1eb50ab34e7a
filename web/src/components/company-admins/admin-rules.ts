import {
  type companyAdminRoutes,
  email,
  limits,
  newPassword,
  type RouteReply,
  type RouteRequest,
  requiredLine,
} from '@portal/contracts';
import { z } from 'zod';

export type CompanyAdmin = RouteReply<typeof companyAdminRoutes.getCompanyAdmin>;

export type CompanyAdminValues = {
  name: string;
  email: string;
  password: string;
  createUserFlag: boolean;
};

export const emptyAdmin: CompanyAdminValues = { name: '', email: '', password: '', createUserFlag: false };

export const adminValuesOf = ({ createUserFlag, email, name }: CompanyAdmin): CompanyAdminValues => ({
  name,
  email: email ?? '',
  password: '',
  createUserFlag,
});

const fields = {
  name: requiredLine(limits.nameMaxLength),
  password: z.union([z.literal(''), newPassword]),
  createUserFlag: z.boolean(),
};

export const adminSchema = z.object({ ...fields, email });
/** Of one who signs in with a login user id, and so has no address. */
export const adminWithoutEmailSchema = z.object({ ...fields, email: z.string() });

export function newAdminBody({
  createUserFlag,
  email,
  name,
  password,
}: CompanyAdminValues): RouteRequest<typeof companyAdminRoutes.createCompanyAdmin>['body'] {
  return { name, email, createUserFlag, ...(password !== '' && { password }) };
}

/** What is sent of an edited admin: no address where there is none, a password only when one was typed. */
export function editedAdminBody({
  email,
  name,
  password,
}: CompanyAdminValues): RouteRequest<typeof companyAdminRoutes.updateCompanyAdmin>['body'] {
  return { name, ...(email !== '' && { email }), ...(password !== '' && { password }) };
}
