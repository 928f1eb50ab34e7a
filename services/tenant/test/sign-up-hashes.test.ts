import { createPasswordQueue, type PasswordQueue } from '@portal/accounts';
import { signUpRoutes as contracts, type RouteRequest, tenantRoutes } from '@portal/contracts';
import type { Implementation } from '@portal/service-kit';
import { adminActor, type ServiceHarness, startServiceHarness, testApiKey } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signUpRoutes } from '../src/http/sign-up.routes.ts';
import { partsOf } from '../src/service.ts';
import { signUpRequest } from './sign-up-requests.ts';
import { takingContext } from './taking-context.ts';

/**
 * A hash takes far longer than all else that a sign-up does. It is made whatever is known of the address, so that nobody can tell by
 * the time of the answer.
 */

const hashed: string[] = [];
const real = createPasswordQueue();
/** Hashes, and notes what. */
const passwordQueue: PasswordQueue = {
  ...real,
  of(asker) {
    const passwords = real.of(asker);
    return {
      ...passwords,
      async hash(password) {
        hashed.push(password);
        return passwords.hash(password);
      },
    };
  },
};

let harness: ServiceHarness;
beforeAll(async () => {
  const service = takingContext(
    () => undefined,
    (context) => {
      const { routes, ...parts } = partsOf(context);
      const own = signUpRoutes({ ...context, ...context.config, passwordQueue });
      const isOwn = ({ contracts: [first] }: Implementation) =>
        own.some(({ contracts: [other] }) => other?.id === first?.id);
      return { ...parts, routes: [...routes.filter((route) => !isOwn(route)), ...own] };
    },
  );
  harness = await startServiceHarness(service, { env: { SIGNUP_KEY: 'the-sign-up-key-of-tests' } });
  const body = { name: 'Unit', allocatedLicense: 1_000 };
  await harness.call(tenantRoutes.createUnit, { body }, adminActor());
});
afterAll(async () => harness.stop());
beforeEach(() => {
  hashed.length = 0;
});

const password = 'Orange-boat-42';
const signUp = async (given: Partial<RouteRequest<typeof contracts.signUpTrial>['body']>) => {
  const body = { ...signUpRequest(), password, ...given };
  const reply = await harness.refused(contracts.signUpTrial, { body, headers: { 'x-api-key': testApiKey } });
  return reply.status;
};

describe('The password of a trial is hashed', () => {
  const email = 'known@example.com';

  test('once for an address that nobody knows, and once for one that had a trial', async () => {
    expect(await signUp({ email })).toBe(201);
    expect(hashed).toEqual([password]);
    expect(await signUp({ email })).toBe(403);
    expect(hashed).toEqual([password, password]);
  });

  test('as well where the unit, the application or the code is refused', async () => {
    for (const [given, status] of [
      [{ outsourcingId: 99_999 }, 404],
      [{ appId: 4_711 }, 404],
      [{ partnerCode: '31337' }, 201],
      [{ partnerCode: '31337' }, 400],
    ] as const) {
      expect(await signUp(given)).toBe(status);
      expect(hashed.splice(0)).toEqual([password]);
    }
  });
});
