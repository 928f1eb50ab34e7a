import { AppError } from '@portal/kernel';

/** Several times what any has. */
const tokenText = /^[\w.-]{1,2048}$/;

/**
 * Refuses what cannot be a token before anything of it is read. Libraries read signatures leniently: with a tab in it, a
 * token would be another text for the same session.
 * @throws AppError `E40102`
 */
export function assertTokenText(token: string): void {
  if (!tokenText.test(token)) throw new AppError('E40102');
}
