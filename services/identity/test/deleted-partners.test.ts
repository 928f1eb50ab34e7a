import { identityRoutes, tenantEvents } from '@portal/contracts';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityService } from '../src/service.ts';
import { sessionOf, signIns } from './calls.ts';
import { password, peers } from './peers.ts';

let harness: ServiceHarness;
const { admin, outcome, player, portal } = signIns(() => harness);
/** What happens once the password of a sign-in was found right. */
let onVerified: (() => Promise<void>) | undefined;

beforeAll(async () => {
  const env = { DEMO: '0', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: password };
  harness = await startServiceHarness(identityService, {
    peers: peers({ onVerified: async () => onVerified?.() }),
    env,
  });
});
afterAll(async () => harness?.stop());

async function deletePartner(partnerId: number): Promise<void> {
  await harness.deliver(tenantEvents.partnerDeleted, {
    subject: partnerId,
    partnerId,
    data: { partnerId },
  });
}

describe('When a partner is deleted', () => {
  it('then tokens that are out are refused, in the portal and in players, and nobody else’s', async () => {
    const ended = [await portal(), await player()];
    const others = [await player('taro', '3000'), await admin()];
    for (const token of [...ended, ...others]) {
      expect(await outcome(identityRoutes.validateToken, token)).toBe(200);
    }
    await deletePartner(1);
    for (const token of ended) {
      // The event wakes the job that ends the sessions.
      await expect.poll(() => outcome(identityRoutes.validateToken, token)).toBe('E40102');
      expect(await outcome(identityRoutes.refreshToken, token)).toBe('E40102');
    }
    const told = (await harness.events('session.revoked')).map(({ partnerid, subject }) => [
      partnerid,
      subject,
    ]);
    expect(told.sort()).toEqual(ended.map((token) => [1, sessionOf(token)]).sort());
    for (const token of others) expect(await outcome(identityRoutes.validateToken, token)).toBe(200);
  });

  it('while somebody signs in, then they do not', async () => {
    onVerified = async () => {
      await deletePartner(3);
      await harness.runJobs();
    };
    const reply = await harness.refused(identityRoutes.partnerLogin, {
      body: { partnerCode: '3000', loginUserId: 'taro', password, platform: { uuid: 'late' } },
    });
    expect([reply.status, reply.body.code]).toEqual([404, 'E40402']);
    const live = 'SELECT id FROM sessions WHERE partner_id = 3 AND revoked_at IS NULL';
    expect(await harness.sql(live)).toEqual([]);
  });
});
