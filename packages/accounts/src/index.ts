export type { Asker } from './fair-queue.ts';
export { isGuessable, refuseGuessable } from './guessable-passwords.ts';
export {
  afterAttempt,
  isLocked,
  type LoginAttempts,
  noFailedAttempts,
  recordUnknownAttempt,
} from './login-attempts.ts';
export { createPasswordQueue, hashOfAnother, type PasswordQueue, type Passwords } from './passwords.ts';
