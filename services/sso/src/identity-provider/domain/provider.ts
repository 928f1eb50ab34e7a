import { z } from 'zod';

const bindings = z.enum(['redirect', 'post']);
export type Binding = z.output<typeof bindings>;

const endpoint = z.object({
  binding: bindings,
  location: z.string(),
  /** Where answers go, if elsewhere. */
  responseLocation: z.string().nullable(),
});
export type Endpoint = z.output<typeof endpoint>;

/** What the metadata of an identity provider says. */
export const provider = z.object({
  entityId: z.string(),
  /** With which it signs, in base64 of DER: several while it changes over to another. */
  certificates: z.array(z.string()),
  signOn: z.array(endpoint),
  logout: z.array(endpoint),
  nameIdFormats: z.array(z.string()),
});
export type Provider = z.output<typeof provider>;
