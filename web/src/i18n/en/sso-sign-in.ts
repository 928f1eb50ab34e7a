import type { ssoSignIn as ja } from '../ja/sso-sign-in.ts';
import type { Translation } from '../translation.ts';

export const ssoSignIn: Translation<typeof ja> = {
  reasons: {
    E40004: 'The sign-in took too long. Try again.',
    E40037:
      'The response of the identity provider could not be verified. Try again. If it stays so, ask a company admin to look at the page “Single sign-on”.',
    E40301:
      'This account may not use the portal. Ask a company admin to look at the account and what it may do.',
    E40302: 'The contract has ended.',
    E40304: 'The plan of this company has no single sign-on.',
    E40306: 'There are more devices than allowed. Ask a company admin.',
    E40307: 'There is no license left to sign in. Ask a company admin.',
    E40401: 'This company ID has no single sign-on.',
    E40402: 'This company ID is not registered.',
    other: 'Single sign-on did not work. Try again.',
  },
};
