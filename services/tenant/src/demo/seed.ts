import type { Clock } from '@portal/kernel';
import { type Seals, type Store, systemScope } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { idOfCode } from '../data/partner-views.ts';
import { unitIdOfName } from '../data/unit-views.ts';
import { monthsAfter, type NewPartner } from '../domain/partner.ts';
import { createPartner, insertNewPartner } from '../use-cases/create-partner.ts';
import { createUnit } from '../use-cases/create-unit.ts';
import { manyPartners } from './many-partners.ts';

const scope = systemScope('the demo has several units and partners');

/** The administrator of the demo, whom the identity service may make later. */
const by = { name: 'admin@example.com' };

export const demoRows = `SELECT 1 FROM partners WHERE partner_code = '1000' AND name = 'Demo Corporation'`;

/** The units and partners of the demo, in the order of their ids. What is there already stays as it is. */
export async function seedDemo(deps: { store: Store<TenantDb>; clock: Clock; seals: Seals }): Promise<void> {
  const { clock, store } = deps;
  const demoUnit = await unit('Demo unit', 1000);
  const otherUnit = await unit('Other unit', 100);
  const now = clock.now();

  await partner({
    name: 'Demo Corporation',
    partnerCode: '1000',
    unitId: demoUnit,
    contractRank: 'enterprise',
    licenseType: 'user',
    licenseCount: 100,
    licenseExpiredOn: monthsAfter(now, 24),
    uapFileLimit: 0,
    operationLogDownloadFlag: true,
    email: 'partner@example.com',
  });
  await partner({
    name: 'Second Company',
    partnerCode: '2000',
    unitId: otherUnit,
    contractRank: 'standard',
    licenseType: 'device',
    licenseCount: 10,
    email: 'second@example.com',
  });
  await partner({
    name: 'Entry Studio',
    partnerCode: '3000',
    unitId: demoUnit,
    contractRank: 'entry',
    licenseType: 'user',
    licenseCount: 20,
    email: 'entry@example.com',
  });
  await partner({
    name: 'Expired Ltd',
    partnerCode: '4000',
    unitId: demoUnit,
    contractRank: 'trial',
    licenseCount: 5,
    licenseExpiredOn: monthsAfter(now, -1),
    email: 'expired@example.com',
  });

  // Last, so that the ids of what the demo always had stay.
  const isFilled = (await store.read(scope, (db) => idOfCode(db, '5001'))) !== undefined;
  if (!isFilled) {
    const partners = manyPartners(await unit('Sample unit', 3000), now);
    await store.write(scope, async (tx) => {
      for (const partner of partners) {
        await insertNewPartner(tx, partner, partner.contractRank === 'free' ? { name: 'sign-up' } : by, now);
      }
    });
  }

  async function unit(name: string, allocatedLicense: number): Promise<number> {
    const known = await store.read(scope, (db) => unitIdOfName(db, name));
    if (known !== undefined) return known;
    const { id } = await createUnit(
      deps,
      {
        name,
        allocatedLicense,
        ownerPartnerid: 0,
        canForceDistributeApp: false,
      },
      scope,
    );
    return id;
  }

  async function partner(command: NewPartner & { readonly partnerCode: string }): Promise<void> {
    const known = await store.read(scope, (db) => idOfCode(db, command.partnerCode));
    if (known === undefined) await createPartner(deps, command, { scope, by });
  }
}
