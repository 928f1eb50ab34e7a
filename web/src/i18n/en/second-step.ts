import type { secondStep as ja } from '../ja/second-step.ts';
import type { Translation } from '../translation.ts';

export const secondStep: Translation<typeof ja> = {
  title: 'Two-factor sign-in',
  lead: 'Your password is correct. Now enter the verification code.',
  code: 'Verification code',
  codeHelp: 'The six digits that your authenticator app shows.',
  recovery: 'Recovery code',
  recoveryHelp: 'One of the codes that you kept when you set up two-factor sign-in. Each works once.',
  useRecovery: 'Use a recovery code',
  useApp: 'Use a code of the app',
  back: 'Back',
  over: 'The time for the code is over, or it was wrong too often. Please sign in with your password again.',
};
