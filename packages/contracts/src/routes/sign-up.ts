import { z } from 'zod';
import { bodyId, idReply, newPassword, requiredLine, signUpAddress } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { route } from '../core/route.ts';

/** How new customers come by themselves: a company for a trial, or a free one. */

/** The holders of the installation's key, and the web client by a key that everybody may know. */
const access = { kind: 'apiKey', publishable: true } as const;

export const signUpPurposes = ['in_house', 'proposal', 'contracted', 'inspection', 'information'] as const;
export type SignUpPurpose = (typeof signUpPurposes)[number];

export const signUpFields = z.object({
  email: signUpAddress,
  firstName: requiredLine(limits.personNameMaxLength),
  lastName: requiredLine(limits.personNameMaxLength),
  companyName: requiredLine(limits.nameMaxLength),
  tel: z
    .string()
    .min(1, { error: 'required' })
    .regex(/^[0-9+() -]{8,20}$/, { error: 'tel' })
    .meta({ example: '03-1234-5678' }),
  purpose: z.enum(signUpPurposes).optional().describe('What it is wanted for'),
  agreedToTerms: z
    .literal(true, { error: 'agreement' })
    .optional()
    .describe('The terms are at `TERMS_URL`; kept with the time'),
  partnerCode: z
    .union([
      z.literal(''),
      z
        .string()
        .min(1)
        .max(limits.partnerCodeMaxLength)
        .regex(/^[0-9]*$/, { error: 'digits' }),
    ])
    .nullable()
    .optional()
    .describe('The code of the company, of digits alone; absent or empty: a free number'),
  outsourcingId: bodyId.default(0).describe('The unit; 0: that of the setting `SIGNUP_UNIT_ID`'),
  inheritParentExpiry: z
    .boolean()
    .default(false)
    .describe('The licence ends with that of the company that owns the unit, where one does'),
  appId: bodyId.default(0).describe('An application that the company is to have from the start; 0: none'),
});

/** What all of them may answer. `E40033` also while sign-up is off. */
export const signUpErrors = ['E40014', 'E40016', 'E40401', 'E40405'] as const;

const shared = { service: 'tenant', access, tries: 'all', takes: 'signUps', status: 201 } as const;

const response = idReply.extend({ partnerCode: z.string() });

export const signUpTrial = route({
  ...shared,
  id: 'signUpTrial',
  method: 'POST',
  path: '/v2/trial',
  summary:
    'Opens a company for a trial, with a company admin. It is usable once the link of the mail was followed, within 24 hours.',
  body: signUpFields.extend({ password: newPassword }),
  response,
  errors: [...signUpErrors, 'E40310'],
});

export const signUpFree = route({
  ...shared,
  id: 'signUpFree',
  method: 'POST',
  path: '/v2/signup',
  summary:
    'Opens a free company, with a company admin. It is usable once they have chosen a password, by the link of the mail.',
  body: signUpFields,
  response,
  errors: [...signUpErrors, 'E40311'],
});

export const activateSignUp = route({
  id: 'activateSignUp',
  service: 'tenant',
  method: 'PUT',
  path: '/v2/signup/activate',
  summary: 'Makes a company usable that signed up for a trial, by the link of the mail.',
  access: { kind: 'public' },
  tries: 'failed',
  body: z.object({ token: z.string().min(1, { error: 'required' }).max(200) }),
  response: z.object({ partnerCode: z.string() }),
  errors: ['E40004'],
});

export const getSignUpSettings = route({
  id: 'getSignUpSettings',
  service: 'tenant',
  method: 'GET',
  path: '/v2/signup/settings',
  summary: 'What the pages of the sign-up need.',
  access: { kind: 'public' },
  tries: 'none',
  response: z.object({
    signupKey: z.string().nullable().describe('The key that the sign-up calls take; null: sign-up is off'),
    termsUrl: z.string().nullable().describe('Where the terms are'),
  }),
});
