import type { ErrorCode } from './errors.ts';
import type { FieldError } from './messages.ts';

/** What a rule of several fields has found. */
export interface Fault {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
}

interface LoginFields {
  readonly email?: string | null | undefined;
  readonly loginUserId?: string | null | undefined;
}

/** People sign in with an e-mail address or a login user id: one of them, never both. */
export function loginFaultOf({ email, loginUserId }: LoginFields): Fault | null {
  if (email != null && loginUserId != null) {
    return { code: 'E40002', fields: [{ field: 'loginUserId', message: 'emailOrLoginUserId' }] };
  }
  if (email != null || loginUserId != null) return null;
  return {
    code: 'E40006',
    fields: [
      { field: 'email', message: 'required' },
      { field: 'loginUserId', message: 'required' },
    ],
  };
}

/** A user with an e-mail address chooses the password by a mailed link. Empty counts as absent. */
export function passwordFaultOf({ email }: LoginFields, password: string | null | undefined): Fault | null {
  if (email == null || !password) return null;
  return { code: 'E40002', fields: [{ field: 'password', message: 'passwordWithEmail' }] };
}
