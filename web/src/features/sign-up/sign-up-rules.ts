import {
  newPassword,
  type RouteRequest,
  signUpFields,
  signUpPurposes,
  type signUpRoutes,
} from '@portal/contracts';
import { z } from 'zod';
import type { SignUpKind, SignUpValues } from './sign-up-flows.ts';

const { companyName, email, firstName, lastName, partnerCode, tel } = signUpFields.shape;

const fields = z.object({
  companyName,
  email,
  firstName,
  lastName,
  partnerCode: partnerCode.unwrap().unwrap(),
  tel,
  purpose: z
    .union([z.literal(''), z.enum(signUpPurposes)])
    .refine((value) => value !== '', { error: 'required' }),
  agreedToTerms: z.boolean().refine((value) => value, { error: 'agreement' }),
});

const withPassword = fields
  .extend({ password: newPassword, confirmation: z.string() })
  .refine(({ confirmation, password }) => password === confirmation, {
    path: ['confirmation'],
    error: 'passwordUnmatch',
  });

/** What the form asks for. */
export const signUpSchemas: Readonly<Record<SignUpKind, z.ZodType<unknown, SignUpValues>>> = {
  trial: withPassword,
  free: fields.extend({ password: z.string(), confirmation: z.string() }),
};

export type SignUpBody = RouteRequest<typeof signUpRoutes.signUpFree>['body'];

/** The call's body; what the address says of the unit, its licence and the application goes along. */
export function signUpBody(values: SignUpValues, search: URLSearchParams): SignUpBody {
  const { confirmation: _, password: __, purpose, ...given } = values;
  return {
    ...given,
    ...(purpose !== '' && { purpose }),
    agreedToTerms: true,
    outsourcingId: idIn(search.get('outsourcing_id')),
    inheritParentExpiry: search.get('inherit_parent_expiry') === 'true',
    appId: idIn(search.get('app_id')),
  };
}

/** 0 when it is empty, or no id. */
const idIn = (text: string | null): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0);
