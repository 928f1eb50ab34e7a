import { randomUUID } from 'node:crypto';
import type { Scope } from '@portal/database';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { knowPartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Outgoing } from '../../saml/messages.ts';
import { findSetting, hasSetting } from '../../settings/data/setting-repository.ts';
import { findTest, insertTest } from '../data/test-repository.ts';
import { requestMs, sendRequest } from './send-request.ts';

/** Begins a test of a setting, on or off, of which the caller's session sees what comes. Throws `E40401` without a setting. */
export async function beginTest(
  { clock, publicUrl, store }: Pick<Dependencies, 'clock' | 'publicUrl' | 'store'>,
  test: { readonly partnerId: number; readonly sessionId: string; readonly reached: boolean },
): Promise<{ id: string; url: string }> {
  const id = randomUUID();
  const expiresAt = new Date(clock.now().getTime() + 2 * requestMs);
  await store.write(ofPartner(test.partnerId), async ({ db }) => {
    if (!(await hasSetting(db, test.partnerId))) throw new AppError('E40401');
    await insertTest(db, { id, ...test, expiresAt });
  });
  return { id, url: `${publicUrl}/v1/user/login/sso/test?id=${id}` };
}

/** Sends the window of a test to the provider. Throws `E40401` for one that is over. */
export async function goToTest(
  deps: Pick<Dependencies, 'cipher' | 'clock' | 'peers' | 'publicUrl' | 'store'>,
  id: string,
  scope: Scope,
): Promise<Outgoing> {
  const { clock, store } = deps;
  const found = await store.read(scope, async (db) => {
    const test = await findTest(db, id, clock.now());
    return test?.result === null ? findSetting(db, test.partnerId) : null;
  });
  if (!found) throw new AppError('E40401');
  const { partnerCode } = await knowPartner(deps, found.partnerId);
  return sendRequest(deps, found, partnerCode, {
    kind: 'test',
    redirectUrl: null,
    codeChallenge: null,
    testId: id,
  });
}
