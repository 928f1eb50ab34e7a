import { createHash, timingSafeEqual } from 'node:crypto';
import type { AccessList } from '@portal/contracts';
import { demoApiKey, demoSignUpKey } from '../demo.ts';
import type { Environment } from '../environment.ts';

/** The keys of the installation. */
export interface ApiKeys {
  readonly apiKey: string;
  /** Everybody may know it: the web client has it. Undefined while sign-up is off. */
  readonly signUpKey: string | undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Tells whether a key opens a route, in the same time however much of it is right. Where the route takes the key of the sign-up,
 * no key opens it while sign-up is off.
 */
export function apiKeyCheck({ apiKey, signUpKey }: ApiKeys): (given: string, access: AccessList) => boolean {
  const known = digest(apiKey);
  const publishable = signUpKey === undefined ? undefined : digest(signUpKey);
  return (given, access) => {
    const hash = digest(given);
    const isKnown = timingSafeEqual(hash, known);
    if (!access.some((one) => one.kind === 'apiKey' && one.publishable)) return isKnown;
    return publishable !== undefined && (timingSafeEqual(hash, publishable) || isKnown);
  };
}

/** The key of the sign-up as the settings say; an empty one turns sign-up off, none as well but in the demo. */
export function signUpKeyIn(env: Environment): string | undefined {
  const given = env['SIGNUP_KEY'] ?? (env['DEMO'] === '1' ? demoSignUpKey : '');
  return given === '' ? undefined : given;
}

/** Undefined where there is no key, as there has to be. */
export const apiKeyIn = (env: Environment): string | undefined =>
  env['API_KEY'] || (env['DEMO'] === '1' ? demoApiKey : undefined);
