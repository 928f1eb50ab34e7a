import { tenantRoutes } from '@portal/contracts';
import { adminActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tenantService } from '../src/service.ts';

let harness: ServiceHarness;
let unitId: number;
const platform = adminActor();
const day = 24 * 3_600_000;

beforeAll(async () => {
  harness = await startServiceHarness(tenantService);
  const body = { name: 'North', allocatedLicense: 1_000 };
  unitId = (await harness.call(tenantRoutes.createUnit, { body }, platform)).body.id;
});
afterAll(async () => harness.stop());

async function partnerUntil(licenseExpiredOn: string | null, more: object = {}): Promise<number> {
  const body = {
    unitId,
    name: 'A company',
    contractRank: 'entry',
    licenseCount: 1,
    licenseExpiredOn,
    ...more,
  } as const;
  return (await harness.call(tenantRoutes.createPartner, { body }, platform)).body.id;
}
const update = async (pid: number, body: object) =>
  harness.call(tenantRoutes.updatePartner, { params: { pid }, body }, platform);
/** To a time in UTC, at which the jobs run. */
async function at(time: string) {
  harness.clock.set(new Date(time));
  await harness.runJobs();
}
const noticesOf = async (id: number) =>
  (await harness.events('licence.ending'))
    .filter(({ subject }) => subject === String(id))
    .map(({ data, partnerid }) => ({ data, partnerid }));

/** The mails of a tenant, or of none, that were asked for, as the mail service reads them. */
async function mailsOf(id: number | null) {
  return (await harness.mails()).flatMap(({ content, partnerId }) => (partnerId === id ? [content] : []));
}
const toldTo = async (id: number | null) =>
  (await mailsOf(id)).map((mail) => `${mail.to} ${mail.template === 'licenceEnding' ? mail.days : ''}`);

describe('When a licence comes to its end', () => {
  test('then the company and its managers get a mail 30, 7 and 1 days before, at 9:00, once each', async () => {
    const contact = {
      email: 'contact@example.com',
      managers: 'one@example.com,two@example.com,ONE@example.com,Contact@example.com',
    };
    // The last day is the 15th in Tokyo.
    const id = await partnerUntil('2027-01-14T15:00:00Z', { ...contact, timeZone: 'Asia/Tokyo', lang: 'en' });
    const forever = await partnerUntil(null, contact);
    await at('2026-12-15T23:59:59Z');
    expect(await mailsOf(id)).toEqual([]);
    await at('2026-12-16T00:00:00Z');
    // Another instance, at the same moment and later.
    await Promise.all([harness.runJobs(), harness.runJobs()]);
    const managers = ['one@example.com', 'two@example.com'];
    expect(await toldTo(id)).toEqual(['contact@example.com 30']);
    // They are no people of the company, for which mails are counted.
    expect(await toldTo(null)).toEqual(managers.map((to) => `${to} 30`));
    const mail = {
      template: 'licenceEnding',
      language: 'en',
      company: 'A company',
      licenseExpiredOn: '2027-01-14T15:00:00Z',
      days: 30,
      timeZone: 'Asia/Tokyo',
    };
    expect((await mailsOf(id))[0]).toEqual({ ...mail, to: 'contact@example.com', name: 'A company' });
    expect((await mailsOf(null))[0]).toEqual({ ...mail, to: 'one@example.com', name: '' });
    await at('2027-01-08T00:00:00Z');
    await at('2027-01-14T00:00:00Z');
    await at('2027-01-20T00:00:00Z');
    expect(await toldTo(id)).toEqual([30, 7, 1].map((days) => `contact@example.com ${days}`));
    expect(await toldTo(null)).toEqual([30, 7, 1].flatMap((days) => managers.map((to) => `${to} ${days}`)));
    expect(await mailsOf(forever)).toEqual([]);
    expect(await noticesOf(id)).toEqual(
      [30, 7].map((days) => ({
        partnerid: id,
        data: { partnerId: id, licenseExpiredOn: '2027-01-14T15:00:00Z', days },
      })),
    );
  });

  test('and the date is changed, then the mails move with it, and what the new date is past is not sent', async () => {
    harness.clock.set(new Date('2027-02-01T00:00:00Z'));
    const id = await partnerUntil('2027-02-21T00:00:00Z', { email: 'moved@example.com', timeZone: 'UTC' });
    await at('2027-02-02T00:00:00Z');
    expect(await toldTo(id)).toEqual([]);
    await update(id, { licenseExpiredOn: '2027-06-30T00:00:00Z' });
    await at('2027-02-20T09:00:00Z');
    expect(await toldTo(id)).toEqual([]);
    await at('2027-05-31T08:59:00Z');
    expect(await toldTo(id)).toEqual([]);
    await at('2027-05-31T09:00:00Z');
    expect(await toldTo(id)).toEqual(['moved@example.com 30']);
    await update(id, { licenseExpiredOn: '2027-07-31T00:00:00Z' });
    await at('2027-07-01T09:00:00Z');
    expect(await toldTo(id)).toEqual(['moved@example.com 30', 'moved@example.com 30']);
  });

  test('and something else is changed just then, then the mail is still sent', async () => {
    harness.clock.set(new Date('2027-08-01T00:00:00Z'));
    const id = await partnerUntil('2027-08-08T12:00:00Z', { email: 'kept@example.com', timeZone: 'UTC' });
    harness.clock.set(new Date('2027-08-01T10:00:00Z'));
    await update(id, { name: 'Renamed' });
    await harness.runJobs();
    expect(await toldTo(id)).toEqual(['kept@example.com 7']);
  });

  test('and nobody ran at the time, then the latest alone is sent; once it has ended, none', async () => {
    harness.clock.set(new Date('2027-09-01T00:00:00Z'));
    const late = await partnerUntil('2027-10-20T00:00:00Z', { email: 'late@example.com' });
    const over = await partnerUntil('2027-10-10T00:00:00Z', { email: 'over@example.com' });
    await at('2027-10-15T00:00:00Z');
    expect(await toldTo(late)).toEqual(['late@example.com 7']);
    expect(await toldTo(over)).toEqual([]);
  });

  test('then more partners than are read at once are all told', async () => {
    harness.clock.set(new Date('2028-01-01T00:00:00Z'));
    await harness.sql(
      `INSERT INTO partners (unit_id, name, name_key, partner_code, partner_code_key, time_zone, contract_rank, license_type,
         license_count, license_expired_on, next_reminder_at, user_device_limit, uap_file_limit, file_public_flag,
         operation_log_download_flag, partner_item, json, comment, managers, lang, created_at, updated_at)
       SELECT $1, 'Many', 'many', 'many' || number, 'many' || number, 'UTC', 'entry', 'user', 1, '2028-01-09', '2028-01-02 09:00Z',
         0, 0, false, false, '', '', '', '', 'ja', now(), now() FROM generate_series(1, 120) AS number`,
      unitId,
    );
    harness.clock.advance(2 * day);
    await harness.runJobs();
    const told = (await harness.events('licence.ending')).filter(
      ({ data }) => Object(data).licenseExpiredOn === '2028-01-09T00:00:00Z',
    );
    expect(told).toHaveLength(120);
  });
});
