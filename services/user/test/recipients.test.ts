import { findRecipients } from '@portal/contracts/internal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUserHarness, type UserHarness } from './user-harness.ts';

let harness: UserHarness;
beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness?.stop());

test('When the push service asks for recipients, then it gets those that the partner has, as events tell of them', async () => {
  const [own, other] = [await harness.partner(), await harness.partner()];
  const [sales, theirs] = [await own.group('Sales'), await other.group('Sales')];
  const taro = await own.user({ name: 'Taro', email: 'taro@example.com', groupIds: [sales] });
  const stranger = await other.user({});
  const body = { partnerId: own.pid, groupIds: [sales, theirs, 999_999], userIds: [taro, stranger, 999_999] };
  const { body: found } = await harness.callAs('push', findRecipients, { body });
  expect(found.groups).toEqual([{ groupId: sales, revision: 1, name: 'Sales', note: '', role: 0 }]);
  expect(found.users).toMatchObject([
    { userId: taro, revision: 1, name: 'Taro', email: 'taro@example.com', isUser: true, groupIds: [sales] },
  ]);
  expect((await harness.callAs('file', findRecipients, { body })).status).toBe(403);
});
