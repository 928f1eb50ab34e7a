import { type Fault, loginFaultOf, passwordFaultOf } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';

/** How a person signs in: with an e-mail address or a login user id, never both. */
export type Login =
  | { readonly email: string; readonly loginUserId: null }
  | { readonly email: null; readonly loginUserId: string };

/** The login part of a request; null and absent are the same on creating. */
export interface LoginFields {
  readonly email?: string | null | undefined;
  readonly loginUserId?: string | null | undefined;
}

/** The login of an account, which the database keeps as two columns. Throws when it has none, which no rule allows. */
export function loginOf({ email, loginUserId }: { email: string | null; loginUserId: string | null }): Login {
  if (email !== null) return { email, loginUserId: null };
  if (loginUserId !== null) return { email, loginUserId };
  throw new Error('An account without a login');
}

/** What somebody signs in with, whichever it is. */
export function loginNameOf({ email, loginUserId }: LoginFields): string {
  return email ?? loginUserId ?? '';
}

/** The login of a new user. Throws `E40006` when the request names none, `E40002` when it names both. */
export function newLogin({ email, loginUserId }: LoginFields): Login {
  refuse(loginFaultOf({ email, loginUserId }));
  return loginOf({ email: email ?? null, loginUserId: loginUserId ?? null });
}

/**
 * The login after an edit: an address may become another address and an id another id.
 * Throws `E40009` when it would change its type, `E40006` when nothing would be left, `E40002` when both are named.
 */
export function editedLogin(current: Login, changes: LoginFields): Login {
  if (changes.email != null && changes.loginUserId != null) refuse(loginFaultOf(changes));
  if (current.email !== null) {
    if (changes.loginUserId != null) throw fieldError('E40009', 'loginUserId', 'invalidValue');
    if (changes.email === null) refuse(loginFaultOf({}));
    return { email: changes.email ?? current.email, loginUserId: null };
  }
  if (changes.email != null) throw fieldError('E40009', 'email', 'invalidValue');
  if (changes.loginUserId === null) refuse(loginFaultOf({}));
  return { email: null, loginUserId: changes.loginUserId ?? current.loginUserId };
}

/**
 * The password of a new user, or null when they choose one by the initialisation mail.
 * Throws `E40002` for a password with an e-mail address, `E40007` for a login user id without one.
 */
export function newUserPassword(login: Login, password: string | null | undefined): string | null {
  const chosen = editedPassword(login, password);
  if (login.email === null && chosen === null) throw fieldError('E40007', 'password', 'required');
  return chosen;
}

/** The new password of an edit, or null where it stays. Throws `E40002` for a password with an e-mail address. */
export function editedPassword(login: Login, password: string | null | undefined): string | null {
  refuse(passwordFaultOf(login, password));
  return password || null;
}

function refuse(fault: Fault | null): void {
  if (fault) throw new AppError(fault.code, fault.fields);
}
