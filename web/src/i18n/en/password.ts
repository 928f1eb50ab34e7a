import type { password as ja } from '../ja/password.ts';
import type { Translation } from '../translation.ts';

export const password: Translation<typeof ja> = {
  forgotten: 'Reset your password',
  forgottenLead: 'We will send a link to your registered address, so that you can choose a new password.',
  noAddress: 'If you sign in with a user ID, please ask the administrator of your company.',
  send: 'Send the email',
  mailSent:
    'The password reset email has been sent. If the address is registered, it arrives in a moment. Its link is valid for 24 hours.',
  askAgain: 'Send it again',
  askForMail: 'Send another email',
  toLogin: 'Go to sign-in',
  reset: 'Reset your password',
  resetLead: 'Enter a new password.',
  init: 'Choose your password',
  initLead: 'Choose a password before you sign in for the first time.',
  set: 'Set the password',
  complete: 'Password set',
  completeMessage: 'Your password has been set. Please sign in with it.',
  completeForBoth: 'Your password has been set. Use it to sign in to the portal and the player.',
  completeForPlayer: 'Your password has been set. Please sign in with it in the player.',
  withCode: 'You also need the company ID “{{code}}” to sign in.',
  expired: 'This link has expired',
  expiredMessage:
    'Password set session has expired. A link is valid for 24 hours and can be used once. Please use the one in a new email.',
  notCompleted: 'Your password is not set yet',
  notCompletedMessage:
    'The link expired before you finished, so no password was set. Please use the link in a new email.',
  signUpOverMessage:
    'This link cannot be used. It is valid for 24 hours and can be used once. If you have chosen your password with it, simply sign in. If it is over, you can sign up again with the same address seven days after your sign-up.',
};
