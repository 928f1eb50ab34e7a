import { tenantEvents } from '@portal/contracts';
import { ofPartner, ofUnit, type ServiceContext, systemScope } from '@portal/service-kit';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../src/config.ts';
import type { TenantDb } from '../src/data/db.ts';
import type { NewPartner } from '../src/domain/partner.ts';
import { createPartner } from '../src/use-cases/create-partner.ts';
import { createUnit } from '../src/use-cases/create-unit.ts';
import { takingContext } from './taking-context.ts';

let harness: ServiceHarness;
let context: ServiceContext<TenantDb, Config>;

beforeAll(async () => {
  harness = await startServiceHarness(
    takingContext((taken) => {
      context = taken;
    }),
  );
});
afterAll(async () => harness.stop());

const scope = systemScope('test');
const by = { name: 'test' };

const newUnit = async (name: string, allocatedLicense: number) =>
  createUnit(context, { name, allocatedLicense, ownerPartnerid: 0, canForceDistributeApp: false }, scope);

const newPartner = async (command: Partial<NewPartner> & Pick<NewPartner, 'unitId' | 'partnerCode'>) =>
  createPartner(
    context,
    { name: `Partner ${command.partnerCode}`, contractRank: 'entry', ...command },
    { scope, by },
  );

const codesOf = async (unitId: number) =>
  (
    await context.store.read(scope, (db) =>
      db.partner.findMany({ where: { unitId }, orderBy: { id: 'asc' } }),
    )
  ).map(({ partnerCode }) => partnerCode);

describe('When a unit is created', () => {
  it('then it is stored and published', async () => {
    const { id } = await newUnit('North', 50);
    expect(await harness.sql('SELECT name, allocated_license FROM units WHERE id = $1', id)).toEqual([
      { name: 'North', allocated_license: 50 },
    ]);
    const event = (await harness.events('unit.created')).find(({ subject }) => subject === String(id));
    expect(event).toMatchObject({
      partnerid: null,
      data: { unitId: id, name: 'North', allocatedLicense: 50 },
    });
  });
});

describe('When a partner is created', () => {
  it('then it is stored and published, in its own tenant', async () => {
    const unit = await newUnit('Told', 100);
    const { id } = await newPartner({ unitId: unit.id, partnerCode: 'told', contractRank: 'trial' });
    const [event] = (await harness.events('partner.created')).filter(({ subject }) => subject === String(id));
    expect(event).toMatchObject({
      partnerid: id,
      data: {
        partnerId: id,
        unitId: unit.id,
        partnerCode: 'told',
        contractRank: 'trial',
        licenseCount: 5,
        licenseExpiredOn: '2026-12-21T09:00:00Z',
      },
    });
    expect(await codesOf(unit.id)).toEqual(['told']);
  });

  it('in a unit that does not exist, then E40401 on unitId', async () => {
    await expect(newPartner({ unitId: 999, partnerCode: 'none' })).rejects.toMatchObject({
      code: 'E40401',
      fields: [{ field: 'unitId' }],
    });
  });

  it('with a code that is taken in other case, then E40014 and nothing is stored or published', async () => {
    const unit = await newUnit('Codes', 100);
    await newPartner({ unitId: unit.id, partnerCode: 'Same' });
    await expect(newPartner({ unitId: unit.id, partnerCode: 'sAME' })).rejects.toMatchObject({
      code: 'E40014',
      fields: [{ field: 'partnerCode' }],
    });
    expect(await codesOf(unit.id)).toEqual(['Same']);
    const told = (await harness.events('partner.created')).filter(({ data }) =>
      JSON.stringify(data).includes('sAME'),
    );
    expect(told).toEqual([]);
  });

  it('by two at the same moment for the last licences, then one gets them', async () => {
    const unit = await newUnit('Race', 30);
    const results = await Promise.allSettled(
      ['race1', 'race2', 'race3'].map((partnerCode) =>
        newPartner({ unitId: unit.id, partnerCode, licenseCount: 20 }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'E40016' });
    }
    expect(await codesOf(unit.id)).toHaveLength(1);
  });
});

describe('When a partner is created in the scope of a unit', () => {
  it('then it is stored and published in its own unit, and in no other', async () => {
    const unit = await newUnit('Own', 100);
    const other = await newUnit('Another', 100);
    const make = async (unitId: number, partnerCode: string) =>
      createPartner(
        context,
        { name: 'By a unit', contractRank: 'entry', unitId, partnerCode },
        { scope: ofUnit(unit.id), by },
      );
    const { id } = await make(unit.id, 'own-unit');
    const told = (await harness.events('partner.created')).map(({ subject }) => subject);
    expect(told).toContain(String(id));
    await expect(make(other.id, 'other-unit')).rejects.toMatchObject({ code: 'E40401' });
    const seen = await context.store.read(ofUnit(other.id), (db) => db.partner.findMany());
    expect(seen).toEqual([]);
  });

  it('then no event of a partner of another unit is written', async () => {
    const [mine, other] = [await newUnit('Teller', 100), await newUnit('Told of', 100)];
    const { id } = await newPartner({ unitId: other.id, partnerCode: 'told-of' });
    const data = tenantEvents.partnerCreated.example;
    const telling = context.store.write(ofUnit(mine.id), async ({ outbox }) =>
      outbox.append(tenantEvents.partnerCreated, { subject: id, partnerId: id, data }),
    );
    await expect(telling).rejects.toThrow('row-level security');
  });
});

describe('When a partner is read in the scope of another', () => {
  it('then row-level security alone hides it', async () => {
    const unit = await newUnit('Hidden', 100);
    const mine = await newPartner({ unitId: unit.id, partnerCode: 'mine' });
    const other = await newPartner({ unitId: unit.id, partnerCode: 'other' });
    const seen = await context.store.read(ofPartner(mine.id), (db) => db.partner.findMany());
    expect(seen.map(({ id }) => id)).toEqual([mine.id]);
    const changed = await context.store.write(ofPartner(mine.id), ({ db }) =>
      db.partner.updateMany({ where: { id: other.id }, data: { name: 'Stolen' } }),
    );
    expect(changed.count).toBe(0);
  });
});
