import { AppError } from '@portal/kernel';

/** Throws `E40027` for a group that has users, `E40028` for one that has files. */
export function requireEmpty(group: { readonly hasUsers: boolean; readonly hasFiles: boolean }): void {
  if (group.hasUsers) throw new AppError('E40027');
  if (group.hasFiles) throw new AppError('E40028');
}
