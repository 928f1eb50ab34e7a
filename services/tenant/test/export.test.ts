import { buffer } from 'node:stream/consumers';
import { batchEvents } from '@portal/contracts';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tenantService } from '../src/service.ts';

let harness: ServiceHarness;
let batches = 0;

beforeAll(async () => {
  harness = await startServiceHarness(tenantService);
  await harness.sql(
    `INSERT INTO units (name, name_key, allocated_license, owner_partnerid, can_force_distribute_app, created_at, updated_at)
     VALUES ('First', 'first', 100, 0, false, '2026-01-01', '2026-01-01'), ('Second', 'second', 100, 0, false, '2026-01-01', '2026-01-01')`,
  );
  await harness.sql(
    `INSERT INTO partners (unit_id, name, name_key, partner_code, partner_code_key, time_zone, contract_rank, license_type, license_count, license_expired_on,
       user_device_limit, uap_file_limit, file_public_flag, operation_log_download_flag, partner_item, json, comment, managers,
       lang, created_at, updated_at)
     SELECT unit, 'Partner ' || unit, 'partner ' || unit, 'code' || unit, 'code' || unit, 'Asia/Tokyo', 'enterprise', 'user', 5, '2027-01-01', 0, 0, false, true, '', '{"a":1}',
       '@all', '', 'ja', '2026-01-01', '2026-01-01' FROM (VALUES (1), (2)) made (unit)`,
  );
});
afterAll(async () => harness.stop());

async function exported(unitId?: number, filter?: Record<string, string>): Promise<string[]> {
  const batchId = ++batches;
  const objectKey = `exports/${batchId}`;
  await harness.deliver(batchEvents.csvRequested, {
    subject: batchId,
    partnerId: null,
    data: {
      ...batchEvents.csvRequested.example,
      kind: 'partners',
      language: 'en',
      batchId,
      objectKey,
      ...(unitId !== undefined && { unitId }),
      ...(filter && { filter }),
    },
  });
  await vi.waitFor(
    async () => expect((await harness.events('csv.completed')).at(-1)?.subject).toBe(String(batchId)),
    { timeout: 15_000, interval: 100 },
  );
  const content = await harness.storage.get(objectKey);
  if (!content || content === 'not-modified') throw new Error('No file');
  return (await buffer(content.body)).toString().split('\r\n');
}

test('partners.csv holds every partner, or those of a unit', async () => {
  expect(await exported()).toEqual([
    '\uFEFFid,name,partner_code,unit_id,unit_name,contract_rank,license_type,license_count,license_expired_on,' +
      'user_device_limit,uap_file_limit,file_public_flag,operation_log_download_flag,email,partner_item,json,comment,' +
      'managers,lang,time_zone,mail_count,bounce_count,created_at,updated_at,' +
      'sign_up_email,first_name,last_name,tel,purpose,agreed_to_terms_at,activated_at',
    `1,Partner 1,code1,1,First,enterprise,user,5,2027-01-01 09:00:00,0,0,false,true,,,"{""a"":1}",'@all,,ja,Asia/Tokyo,0,0,` +
      '2026-01-01 09:00:00,2026-01-01 09:00:00,,,,,,,',
    `2,Partner 2,code2,2,Second,enterprise,user,5,2027-01-01 09:00:00,0,0,false,true,,,"{""a"":1}",'@all,,ja,Asia/Tokyo,0,0,` +
      '2026-01-01 09:00:00,2026-01-01 09:00:00,,,,,,,',
    '',
  ]);
  expect((await exported(2)).map((line) => line.slice(0, 11))).toEqual([
    '\uFEFFid,name,pa',
    '2,Partner 2',
    '',
  ]);
});

test('with the filters of the list it holds what the list shows', async () => {
  const names = async (filter: Record<string, string>) =>
    (await exported(undefined, filter)).slice(1, -1).map((line) => line.split(',')[1]);
  expect(await names({ q: 'partner 1' })).toEqual(['Partner 1']);
  expect(await names({ unitId: '2', licenseExpiredOnEnd: '2027-01-01T00:00:00Z' })).toEqual(['Partner 2']);
  expect(await names({ contractRank: 'standard' })).toEqual([]);
  expect(await names({ bounceInfoStart: '2026-01-01T00:00:00Z' })).toEqual([]);
});
