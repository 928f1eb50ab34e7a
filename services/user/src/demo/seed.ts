import { setTimeout as wait } from 'node:timers/promises';
import { userRoleBits } from '@portal/contracts';
import { AppError, isUnavailable } from '@portal/kernel';
import { ofPartner, demoPassword as password, systemScope } from '@portal/service-kit';
import { findByLogin } from '../data/account-repository.ts';
import { listGroups } from '../data/group-views.ts';
import { isDone, markDone } from '../data/milestone-repository.ts';
import { knowPartner } from '../data/partner-repository.ts';
import type { CallDependencies, Dependencies } from '../dependencies.ts';
import { createCompanyAdmin } from '../use-cases/create-company-admin.ts';
import { createGroup } from '../use-cases/create-group.ts';
import { createUser, type NewUser } from '../use-cases/create-user.ts';

const milestone = 'demo';
export const demoRows = `SELECT 1 FROM milestones WHERE name = '${milestone}'`;
const partnerWaitMs = 30_000;
const pollMs = 200;
const scope = systemScope('whether the demo is filled in');

/**
 * The accounts and groups of the demo's partners, once: what is deleted or changed later stays so. A seed that was cut
 * short goes on where it stopped.
 */
export async function seedDemo(deps: CallDependencies): Promise<void> {
  const { clock, store } = deps;
  if (await store.read(scope, (db) => isDone(db, milestone))) return;
  for (const partnerId of [1, 2, 3, 4]) await partnerIsKnown(deps, partnerId);

  const demo = demoOf(deps, 1);
  await demo.admin('Demo Admin', 'partner@example.com');
  const sales = await demo.group('Sales');
  const field = await demo.group('Field');
  await demo.user({ name: 'Taro', loginUserId: 'taro', groupIds: [sales] });
  await demo.user({ name: 'Hanako', email: 'hanako@example.com', groupIds: [field] });
  await demo.user({ name: 'Jiro', loginUserId: 'jiro' });
  await demo.user({ name: 'Dev', loginUserId: 'dev', role: userRoleBits.developer });
  await demo.user({ name: 'Pusher', loginUserId: 'pusher', role: userRoleBits.pushApi });

  const second = demoOf(deps, 2);
  await second.admin('Second Admin', 'second@example.com');
  const crew = await second.group('Crew');
  await second.user({ name: 'Crew 1', loginUserId: 'crew1', groupIds: [crew] });

  await demoOf(deps, 3).admin('Entry Admin', 'entry@example.com');
  await demoOf(deps, 4).admin('Expired Admin', 'expired@example.com');
  await store.write(scope, ({ db }) => markDone(db, milestone, clock.now()));
}

/** What the seed makes for one partner; what is there already is left alone. */
function demoOf(deps: CallDependencies, partnerId: number) {
  const { store } = deps;

  async function isMissing(login: { email?: string | undefined; loginUserId?: string | undefined }) {
    return (await store.read(ofPartner(partnerId), (db) => findByLogin(db, partnerId, login))) === null;
  }

  return {
    async admin(name: string, email: string): Promise<void> {
      if (await isMissing({ email })) {
        await createCompanyAdmin(deps, partnerId, { name, email, password });
      }
    },

    async group(name: string): Promise<number> {
      const query = { all: true, name, page: 1, perPage: 1, orderKey: 'id', order: 'asc' } as const;
      const { groups } = await store.read(ofPartner(partnerId), (db) => listGroups(db, partnerId, query));
      const known = groups.find((group) => group.name === name);
      return known?.id ?? (await createGroup(deps, partnerId, { name })).id;
    },

    async user({ email, loginUserId, ...user }: NewUser & { email?: string; loginUserId?: string }) {
      if (!(await isMissing({ email, loginUserId }))) return;
      if (email === undefined) {
        await createUser(deps, partnerId, { ...user, loginUserId, password });
        return;
      }
      await createUser(deps, partnerId, { ...user, email }, { chosenPassword: password });
    },
  };
}

/** The demo's partners come from the tenant service, which fills in its own at the same time. */
async function partnerIsKnown(deps: Dependencies, partnerId: number): Promise<void> {
  const end = performance.now() + partnerWaitMs;
  for (;;) {
    try {
      await knowPartner(deps, partnerId);
      return;
    } catch (error) {
      const mayCome = isUnavailable(error) || (error instanceof AppError && error.code === 'E40402');
      if (!mayCome || performance.now() > end) throw error;
      await wait(pollMs);
    }
  }
}
