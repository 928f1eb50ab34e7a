import { limits } from '@portal/contracts';

/** Who signed in, and with what. */
export type SessionOwner =
  | {
      readonly accountKind: 'admin';
      readonly client: 'admin';
      readonly accountId: number;
      readonly role: number;
      readonly unitId: number | null;
      readonly name: string;
      readonly email: string;
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
    };

/** When a token that is made at `now` is over; in whole seconds, as tokens say it. */
export function tokenExpiry(now: Date): Date {
  return new Date((Math.floor(now.getTime() / 1000) + limits.accessTokenLifetimeSeconds) * 1000);
}
