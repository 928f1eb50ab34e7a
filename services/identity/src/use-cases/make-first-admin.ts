import { type Passwords } from '@portal/accounts';
import type { Scope } from '@portal/database';
import { AppError, type Clock } from '@portal/kernel';
import type { Store } from '@portal/service-kit';
import { anyAdmin } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { platform } from '../domain/admin.ts';
import { createAdmin } from './create-admin.ts';

/** Makes the platform administrator of the settings, unless there is an administrator already. */
export async function makeFirstAdmin(
  deps: { store: Store<IdentityDb>; clock: Clock; passwords: Passwords },
  { email, password }: { email: string; password: string },
  scope: Scope,
): Promise<void> {
  if (await deps.store.read(scope, anyAdmin)) return;
  try {
    const admin = { name: email, email, password, role: platform.role, unitId: null };
    await createAdmin(deps, admin, platform, scope);
  } catch (error) {
    // Another instance, starting at the same moment, was first.
    if (!(error instanceof AppError && error.code === 'E40029')) throw error;
  }
}
