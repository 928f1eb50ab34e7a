import { isValidPassword } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import { dictionary } from '@zxcvbn-ts/language-common';

/** What names an account. */
interface Named {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly loginUserId?: string | null | undefined;
}

/** The most used passwords that leaked, in lower case; those that are no valid passwords anyway are left out. */
const mostUsed: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].map((password) => password.toLowerCase()).filter(isValidPassword),
);

/** Whether a password is easy to guess: one of the most common, or the owner's name or address. */
export function isGuessable(password: string, { email, loginUserId, name }: Named): boolean {
  const plain = plainOf(password);
  const [localPart] = email?.split('@') ?? [];
  const names = [name, email, localPart, loginUserId].map((text) => plainOf(text ?? ''));
  return mostUsed.has(plain) || names.includes(plain);
}

/** Throws `E40002` on `password` for one that is guessable. */
export function refuseGuessable(password: string, owner: Named): void {
  if (isGuessable(password, owner)) throw fieldError('E40002', 'password', 'guessablePassword');
}

/** Passwords have no spaces, and their case makes them no harder to guess. */
function plainOf(text: string): string {
  return text.normalize('NFKC').replace(/\s/g, '').toLowerCase();
}
