import { setTimeout as sleep } from 'node:timers/promises';
import { type Passwords } from '@portal/accounts';
import type { Clock } from '@portal/kernel';
import { demoPassword as password, type Store, systemScope } from '@portal/service-kit';
import { findAdminByEmail } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { unitIdOfName } from '../data/unit-repository.ts';
import { type NewAdmin, platform } from '../domain/admin.ts';
import { createAdmin } from '../use-cases/create-admin.ts';

/** Who was made by the settings has their address as a name. */
export const demoRows = `SELECT 1 FROM admins WHERE email = 'admin@example.com' AND name = 'Platform administrator'`;

const scope = systemScope('administrators are of no tenant');
const lookEveryMs = 100;
const unitsWithinMs = 30_000;

/** The administrators of the demo. Those of units wait for the events of the units. */
export async function seedDemo(deps: {
  store: Store<IdentityDb>;
  clock: Clock;
  passwords: Passwords;
}): Promise<void> {
  const { store } = deps;
  await admin({ name: 'Platform administrator', email: 'admin@example.com', role: 127, unitId: null });
  await unitAdmin('Demo unit', 'unit@example.com');
  await unitAdmin('Other unit', 'other-unit@example.com');

  async function unitAdmin(unit: string, email: string): Promise<void> {
    await admin({ name: `${unit} administrator`, email, role: 63, unitId: await unitOf(unit) });
  }

  async function admin(command: Omit<NewAdmin, 'password'>): Promise<void> {
    const known = await store.read(scope, (db) => findAdminByEmail(db, command.email));
    if (!known) await createAdmin(deps, { ...command, password }, platform, scope);
  }

  async function unitOf(name: string): Promise<number> {
    for (let waited = 0; waited < unitsWithinMs; waited += lookEveryMs) {
      const id = await store.read(scope, (db) => unitIdOfName(db, name));
      if (id !== undefined) return id;
      await sleep(lookEveryMs);
    }
    throw new Error(`The tenant service told nothing of the unit "${name}"`);
  }
}
