import { AppError } from '@portal/kernel';

/** Throws `E40301` for somebody who is inactive. */
export function requireActive({ active }: { readonly active: boolean }): void {
  if (!active) throw new AppError('E40301');
}
