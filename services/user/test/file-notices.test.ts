import { fileEvents } from '@portal/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

let harness: UserHarness;
let files = 0;
beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness?.stop());

const everyone = 0;

async function deliver(
  { pid }: TestPartner,
  fileId: number,
  groupIds: number[],
  { notifyEmail = true } = {},
): Promise<void> {
  await harness.deliver(fileEvents.fileDelivered, {
    subject: fileId,
    partnerId: pid,
    data: { fileId, name: `File ${fileId}`, groupIds, notifyEmail, notifyPush: false },
  });
}

/** The mails that a tenant's notices have requested, once no notice is left. */
async function mailsOf({ pid }: TestPartner) {
  await vi.waitFor(
    async () =>
      expect(await harness.sql('SELECT 1 FROM file_notices WHERE partner_id = $1', pid)).toEqual([]),
    { timeout: 20_000, interval: 50 },
  );
  return (await harness.mails()).flatMap(({ content, inBulk, partnerId }) =>
    partnerId === pid ? [{ inBulk, ...content }] : [],
  );
}
const addressesOf = async (partner: TestPartner) => (await mailsOf(partner)).map(({ to }) => to).sort();

/** A tenant with two groups, somebody in both, somebody in none, and somebody without an address. */
async function newTenant() {
  const partner = await harness.partner();
  const [sales, support] = [await partner.group('Sales'), await partner.group('Support')];
  await partner.user({ name: 'Taro', email: 'taro@example.com', groupIds: [sales] });
  await partner.user({ email: 'both@example.com', groupIds: [sales, support] });
  await partner.user({ email: 'none@example.com' });
  await partner.user({ loginUserId: 'no-address', groupIds: [sales] });
  return { partner, sales, support };
}

describe('When a file was delivered and its people are to be told by mail', () => {
  it('then each of its groups who has an address gets one mail, in the language of the tenant', async () => {
    const { partner, sales, support } = await newTenant();
    await deliver(partner, ++files, [sales, support]);
    const mails = await mailsOf(partner);
    expect(mails.map(({ to }) => to).sort()).toEqual(['both@example.com', 'taro@example.com']);
    expect(mails.find(({ to }) => to === 'taro@example.com')).toEqual({
      inBulk: true,
      to: 'taro@example.com',
      name: 'Taro',
      language: null,
      template: 'fileDelivered',
      fileName: `File ${files}`,
    });
  });

  it('then all of its users where it is for everyone, and nobody of another tenant', async () => {
    const { partner } = await newTenant();
    const other = await newTenant();
    await deliver(partner, ++files, [everyone]);
    expect(await addressesOf(partner)).toEqual(['both@example.com', 'none@example.com', 'taro@example.com']);
    expect(await addressesOf(other.partner)).toEqual([]);
  });

  it('then nobody gets a second mail about it, whatever is told again, and newcomers get theirs', async () => {
    const { partner, sales, support } = await newTenant();
    const file = ++files;
    await deliver(partner, file, [sales]);
    await mailsOf(partner);
    await partner.user({ email: 'new@example.com', groupIds: [support] });
    for (const groups of [[sales], [support], [everyone]]) {
      await deliver(partner, file, groups);
      await mailsOf(partner);
    }
    expect(await addressesOf(partner)).toEqual([
      'both@example.com',
      'new@example.com',
      'none@example.com',
      'taro@example.com',
    ]);
    await deliver(partner, ++files, [sales]);
    expect(await addressesOf(partner)).toHaveLength(6);
  });

  it('then nobody is told where it was not asked for, nor who joins the group later', async () => {
    const { partner, sales } = await newTenant();
    await deliver(partner, ++files, [sales], { notifyEmail: false });
    await deliver(partner, ++files, [sales]);
    await mailsOf(partner);
    await partner.user({ email: 'late@example.com', groupIds: [sales] });
    expect(await addressesOf(partner)).toEqual(['both@example.com', 'taro@example.com']);
  });

  it('then people who are named get theirs, once, whatever they and their groups are told later', async () => {
    const { partner, sales } = await newTenant();
    const other = await newTenant();
    const named = await partner.user({ email: 'named@example.com' });
    const stranger = await other.partner.user({ email: 'stranger@example.com' });
    const file = ++files;
    const data = { fileId: file, name: 'Tour', groupIds: [], notifyPush: false };
    for (const notifyEmail of [false, true, true]) {
      await harness.deliver(fileEvents.fileDelivered, {
        subject: file,
        partnerId: partner.pid,
        data: { ...data, notifyEmail, userIds: [named, stranger] },
        times: 2,
      });
    }
    expect(await addressesOf(partner)).toEqual(['named@example.com']);
    expect(await addressesOf(other.partner)).toEqual([]);
    await deliver(partner, file, [sales, everyone]);
    expect(await addressesOf(partner)).toEqual([
      'both@example.com',
      'named@example.com',
      'none@example.com',
      'taro@example.com',
    ]);
  });

  it('then thousands are told in batches, each once', async () => {
    const { partner, sales } = await newTenant();
    await harness.sql(
      `WITH made AS (
         INSERT INTO accounts (partner_id, name, name_key, email, email_key, role, is_user, max_device_count_limited_flag,
           max_device_count, created_at, updated_at)
         SELECT $1, 'u', 'u', 'u' || i || '@example.com', 'u' || i || '@example.com', 0, true, false, 0, now(), now()
         FROM generate_series(1, 1200) AS i RETURNING id)
       INSERT INTO memberships (partner_id, group_id, account_id) SELECT $1, $2, id FROM made`,
      partner.pid,
      sales,
    );
    await deliver(partner, ++files, [everyone, sales]);
    const addresses = await addressesOf(partner);
    expect(addresses).toHaveLength(1203);
    expect(new Set(addresses).size).toBe(1203);
  });

  it('then a file that is deleted leaves nothing behind', async () => {
    const { partner, sales } = await newTenant();
    const file = ++files;
    await deliver(partner, file, [sales]);
    await mailsOf(partner);
    await harness.deliver(fileEvents.fileDeleted, {
      subject: file,
      partnerId: partner.pid,
      data: { fileId: file },
    });
    const left = await harness.sql('SELECT 1 FROM file_mails WHERE partner_id = $1', partner.pid);
    expect(left).toEqual([]);
  });
});
