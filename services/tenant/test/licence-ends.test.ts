import { type ServiceContext, systemScope } from '@portal/service-kit';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../src/config.ts';
import type { TenantDb } from '../src/data/db.ts';
import { createPartner } from '../src/use-cases/create-partner.ts';
import { createUnit } from '../src/use-cases/create-unit.ts';
import { tellLicenceEnds } from '../src/use-cases/tell-licence-ends.ts';
import { takingContext } from './taking-context.ts';

let harness: ServiceHarness;
let context: ServiceContext<TenantDb, Config>;
let unitId: number;
const scope = systemScope('test');
const day = 24 * 3_600_000;

beforeAll(async () => {
  harness = await startServiceHarness(
    takingContext((taken) => {
      context = taken;
    }),
  );
  const unit = { name: 'North', allocatedLicense: 1_000, ownerPartnerid: 0, canForceDistributeApp: false };
  unitId = (await createUnit(context, unit, scope)).id;
});
afterAll(async () => harness.stop());

async function partnerUntil(partnerCode: string, licenseExpiredOn: Date | null): Promise<number> {
  const partner = {
    unitId,
    partnerCode,
    name: partnerCode,
    contractRank: 'entry',
    licenseExpiredOn,
  } as const;
  return (await createPartner(context, { ...partner, licenseCount: 1 }, scope)).id;
}
const inDays = (days: number) => new Date(harness.clock.now().getTime() + days * day);
const tell = async () => tellLicenceEnds(context, { scope, stopping: new AbortController().signal });
const toldOf = async (id: number) =>
  (await harness.events('licence.ending'))
    .filter(({ subject }) => subject === String(id))
    .map(({ data, partnerid }) => ({ data, partnerid }));

describe('When a licence comes to its end', () => {
  test('then it is told 30 and 7 days before, once each, and of another end again', async () => {
    const id = await partnerUntil('ends', new Date('2027-01-15T00:00:00Z'));
    const forever = await partnerUntil('stays', null);
    await tell();
    expect(await toldOf(id)).toEqual([]);
    harness.clock.advance(26 * day);
    // Two instances at one moment.
    await Promise.all([tell(), tell()]);
    await tell();
    const first = {
      partnerid: id,
      data: { partnerId: id, licenseExpiredOn: '2027-01-15T00:00:00Z', days: 30 },
    };
    expect(await toldOf(id)).toEqual([first]);
    harness.clock.advance(23 * day);
    await tell();
    await tell();
    expect(await toldOf(id)).toEqual([first, { ...first, data: { ...first.data, days: 7 } }]);
    await harness.sql(`UPDATE partners SET license_expired_on = '2027-01-20' WHERE partner_id = $1`, id);
    await tell();
    expect((await toldOf(id)).at(-1)?.data).toMatchObject({
      licenseExpiredOn: '2027-01-20T00:00:00Z',
      days: 30,
    });
    harness.clock.advance(60 * day);
    await tell();
    expect(await toldOf(id)).toHaveLength(3);
    expect(await toldOf(forever)).toEqual([]);
  });

  test('then more partners than are read at once are all told', async () => {
    await harness.sql(
      `INSERT INTO partners (unit_id, name, partner_code, contract_rank, license_type, license_count, license_expired_on,
         user_device_limit, uap_file_limit, file_public_flag, operation_log_download_flag, partner_item, json, comment,
         managers, lang, created_at, updated_at)
       SELECT $1, 'Many', 'many' || number, 'entry', 'user', 1, $2, 0, 0, false, false, '', '', '', '', 'ja', now(), now()
       FROM generate_series(1, 120) AS number`,
      unitId,
      inDays(5),
    );
    await tell();
    const told = (await harness.events('licence.ending')).filter(({ data }) => Object(data).days === 7);
    expect(told.length).toBeGreaterThanOrEqual(120);
    const [row] = await harness.sql(
      `SELECT count(*)::integer AS count FROM partners WHERE name = 'Many' AND licence_told_days = 7`,
    );
    expect(row).toEqual({ count: 120 });
  });
});
