import { AppError } from '@portal/kernel';

/** Throws `E40027` for a group that has users, `E40028` for one that has files. */
export function requireEmpty(group: { readonly users: number; readonly files: number }): void {
  if (group.users > 0) throw new AppError('E40027');
  if (group.files > 0) throw new AppError('E40028');
}
