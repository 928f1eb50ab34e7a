import { limits } from '@portal/contracts';

/** Who signed in, and with what. */
export type SessionOwner =
  | {
      readonly accountKind: 'admin';
      readonly client: 'admin';
      readonly accountId: number;
      readonly role: number;
      readonly unitId: number | null;
      /** The revision of the administrator. */
      readonly generation: number;
      readonly name: string;
      readonly email: string;
      readonly twoFactorSetup: boolean;
    }
  | {
      readonly accountKind: 'account';
      readonly client: 'portal' | 'player';
      readonly accountId: number;
      readonly partnerId: number;
      readonly role: number;
      readonly platformUuid: string | null;
      /** Of the device; 0 in the portal. */
      readonly registration: number;
      /** Which of the account's passwords and roles let them in. */
      readonly generation: number;
      readonly name: string;
      readonly email: string | null;
      readonly loginUserId: string | null;
      /** They have to set up two factors, and may do nothing else before. */
      readonly twoFactorSetup: boolean;
      /** It is ended at the identity provider as well at which it began. */
      readonly ssoLogout: boolean;
    };

/** What signs in, as it names itself, and from which network address. */
export interface Client {
  readonly agent: string;
  readonly address: string;
}

/** When a token that is issued at `now` expires; in whole seconds, as in tokens. */
export function tokenExpiry(now: Date): Date {
  return new Date((Math.floor(now.getTime() / 1000) + limits.accessTokenLifetimeSeconds) * 1000);
}
