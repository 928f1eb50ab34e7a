import { fileEvents, pushRoutes } from '@portal/contracts';
import { adminActor, partnerActor } from '@portal/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type DeliveryHarness, type DeliveryPartner, startDeliveryHarness } from './delivery-harness.ts';

/** What people are told of files that were delivered to them. */

let harness: DeliveryHarness;
let files = 100;
beforeAll(async () => {
  harness = await startDeliveryHarness();
});
afterAll(async () => harness?.stop());
afterEach(() => {
  harness.providers.taken.length = 0;
});

async function deliver(
  { id: partnerId }: DeliveryPartner,
  groupIds: number[],
  more: { fileId?: number; name?: string; notifyPush?: boolean } = {},
) {
  const { fileId = ++files, name = 'Tour', notifyPush = true } = more;
  await harness.deliver(fileEvents.fileDelivered, {
    subject: fileId,
    partnerId,
    data: { fileId, name, groupIds, notifyEmail: false, notifyPush },
    // The bus may bring it again.
    times: 2,
  });
  return fileId;
}

/** The notifications of a tenant, once they have ended. */
async function notifications(partner: DeliveryPartner, count: number) {
  const list = async () => {
    const actor = partnerActor({ partnerId: partner.id });
    const request = { params: { pid: partner.id }, query: { order: 'asc', orderKey: 'id' } } as const;
    return (await harness.call(pushRoutes.listNotifications, request, actor)).body.pushNotifications;
  };
  await expect
    .poll(
      harness.afterJobs(async () => (await list()).map(({ status }) => status)),
      { timeout: 20_000, interval: 50 },
    )
    .toEqual(Array(count).fill('success'));
  return list();
}

const tokensOf = (devices: readonly { readonly token: string }[]) => devices.map(({ token }) => token).sort();

test('When a file with notices by push is delivered, then each device of its groups gets one, in the language of the company', async () => {
  const partner = await harness.partner({ lang: 'ja' });
  const sales = await partner.people(2, { groupIds: [1] });
  const both = await partner.people(2, { groupIds: [1, 2] });
  await partner.people(2);
  const fileId = await deliver(partner, [1, 2], { name: '営業資料' });
  const [sent] = await notifications(partner, 1);
  expect(sent).toMatchObject({
    title: '新しいファイルが届きました',
    message: '営業資料',
    fileId,
    groupId: null,
    certificationId: partner.certificationId,
    targetCount: 4,
    successCount: 4,
  });
  expect(tokensOf(harness.providers.taken)).toEqual(tokensOf([...sales, ...both]));
  for (const taken of harness.providers.taken) {
    expect(taken).toMatchObject({
      title: '新しいファイルが届きました',
      message: '営業資料',
      json: JSON.stringify({ file_id: fileId }),
    });
  }
});

test('When it is delivered to more groups later, then those are told who were not, and after its deletion nobody is remembered', async () => {
  const partner = await harness.partner({ lang: 'en' });
  const first = await partner.people(1, { groupIds: [1] });
  const others = await partner.people(2);
  const fileId = await deliver(partner, [1]);
  await notifications(partner, 1);
  expect(tokensOf(harness.providers.taken)).toEqual(tokensOf(first));
  await deliver(partner, [0, 1], { fileId });
  const [, later] = await notifications(partner, 2);
  expect(later).toMatchObject({ title: 'A new file is available', targetCount: 2, successCount: 2 });
  expect(tokensOf(harness.providers.taken)).toEqual(tokensOf([...first, ...others]));

  const told = async () => harness.sql('SELECT user_id FROM file_pushes WHERE partner_id = $1', partner.id);
  expect(await told()).toHaveLength(3);
  await harness.deliver(fileEvents.fileDeleted, { subject: fileId, partnerId: partner.id, data: { fileId } });
  expect(await told()).toEqual([]);
});

test('When people are named whom it has reached in stages, then they alone are, once, and their groups later without them', async () => {
  const partner = await harness.partner({ lang: 'en' });
  const [first, second, third] = await partner.people(3, { groupIds: [1] });
  if (!first || !second || !third) throw new Error('Nobody to tell');
  const fileId = ++files;
  const reach = async (userIds: number[]) =>
    harness.deliver(fileEvents.fileDelivered, {
      subject: fileId,
      partnerId: partner.id,
      data: { fileId, name: 'Tour', groupIds: [], userIds, notifyEmail: false, notifyPush: true },
      times: 2,
    });
  await reach([first.userId]);
  const [sent] = await notifications(partner, 1);
  expect(sent).toMatchObject({ fileId, targetCount: 1, successCount: 1 });
  await reach([first.userId, second.userId]);
  await notifications(partner, 2);
  await deliver(partner, [1], { fileId });
  await notifications(partner, 3);
  expect(tokensOf(harness.providers.taken)).toEqual(tokensOf([first, second, third]));
});

test('When nobody is to be told by push, then nobody is', async () => {
  const partner = await harness.partner();
  await partner.people(1, { groupIds: [1] });
  await deliver(partner, [1], { notifyPush: false });
  await harness.runJobs();
  expect(await notifications(partner, 0)).toEqual([]);
});

test('When a company has several certificates, or none, then the one that it made last sends, else the operator’s', async () => {
  const partner = await harness.partner();
  await partner.people(1, { groupIds: [1] });
  const apiKey = JSON.stringify(await harness.providers.fcm.addAccount('second'));
  const made = await harness.call(
    pushRoutes.createCertification,
    { params: { pid: partner.id }, body: { name: 'Second', apiKey } },
    partnerActor({ partnerId: partner.id }),
  );
  await deliver(partner, [1]);
  const [own] = await notifications(partner, 1);
  expect(own?.certificationId).toBe(made.body.id);

  const operators = JSON.stringify(await harness.providers.fcm.addAccount('operator'));
  await harness.call(pushRoutes.createOperatorCertification, { body: { apiKey: operators } }, adminActor());
  const none = await harness.partner({ certifies: 'nothing' });
  await none.people(1, { groupIds: [1], service: 'fcm' });
  await deliver(none, [1]);
  const [byOperator] = await notifications(none, 1);
  expect(byOperator).toMatchObject({ certificationId: null, successCount: 1 });
});
