import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';

/** Whether the server may ask for tokens there: never at an address of a tenant's choice. */
export type AcceptsTokenUri = (uri: string) => boolean;

const googleTokenUri = 'https://oauth2.googleapis.com/token';

/** Google's, and any of the place where pushes go instead. */
export function tokenUrisOf(fcmUrl: string | undefined): AcceptsTokenUri {
  const origin = fcmUrl === undefined ? undefined : new URL(fcmUrl).origin;
  return (uri) => uri === googleTokenUri || (origin !== undefined && URL.parse(uri)?.origin === origin);
}

/** The key of a service account, as Google gives it out, without what is not needed to send. */
const serviceAccount = z.object({
  type: z.literal('service_account'),
  // They become part of addresses.
  project_id: z.string().regex(/^[a-z0-9][a-z0-9.:-]{0,127}$/i),
  client_email: z.string().regex(/^[\w.+-]{1,128}@[a-z0-9.-]{1,128}$/i),
  private_key: z.string().refine(isRsaKey),
  private_key_id: z.string().max(128).optional(),
  client_id: z.string().max(128).optional(),
  token_uri: z.string(),
});

/**
 * What the JSON of a key says; undefined where it is none. Only known fields are kept: others, such as the domain of the service,
 * would tell the libraries to call elsewhere.
 */
export function readServiceAccount(
  apiKey: string,
  acceptsTokenUri: AcceptsTokenUri,
): { readonly apiKey: string; readonly projectId: string } | undefined {
  const { data } = serviceAccount.safeParse(parsed(apiKey));
  if (!data || !acceptsTokenUri(data.token_uri)) return undefined;
  return { apiKey: JSON.stringify(data), projectId: data.project_id };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tokens are signed with RSA. */
function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
