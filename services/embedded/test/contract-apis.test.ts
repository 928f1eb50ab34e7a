import {
  admits,
  errorCatalogue,
  languages,
  plans,
  type RouteContract,
  tenantEvents,
} from '@portal/contracts';
import { allRoutes } from '@portal/contracts/catalogue';
import { findPartner } from '@portal/contracts/internal';
import { implement } from '@portal/service-kit';
import { partnerActor, playerActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { services } from '../src/services.ts';

/**
 * What a tenant may call whose contract has none of the contract APIs. Every plan that is sold has `group`, so no
 * contract shows it; a plan that is taken everything from does. (The token API is the identity service's, and real
 * plans are without it: its tests refuse it there.)
 */

const owners = ['user', 'file', 'batch', 'tenant', 'push', 'sso', 'document'] as const;
const bare = 'entry';
const partner = {
  ...tenantEvents.partnerCreated.example,
  partnerId: 1,
  contractRank: bare,
  json: '',
} as const;
const harnesses = new Map<string, ServiceHarness>();

beforeAll(async () => {
  for (const name of owners) {
    const definition = services.find((service) => service.name === name);
    if (!definition) throw new Error(`No service ${name}`);
    const peers = [implement(findPartner, async () => partner)];
    harnesses.set(name, await startServiceHarness(definition, { peers }));
  }
});
afterAll(async () => {
  vi.restoreAllMocks();
  for (const harness of harnesses.values()) await harness.stop();
});

const isOfTenants = (route: RouteContract) =>
  owners.some((owner) => owner === route.service) &&
  (['partner', 'player', 'tenant'] as const).some((kind) => admits(route, kind));
const routes = allRoutes.filter(isOfTenants);
const needsApi = ({ access }: RouteContract) => access.some((one) => 'api' in one && one.api !== undefined);

async function codeOf(route: RouteContract, language = 'en') {
  const { method, path, service } = route;
  const harness = harnesses.get(service);
  if (!harness) throw new Error(`No harness of ${service}`);
  const actor = admits(route, 'player') ? playerActor({ accountId: 1 }) : partnerActor();
  // Without a body: rights are looked at before it.
  const url = path.replace(':pid', '1').replaceAll(/:\w+/g, '1');
  const { body, status } = await harness.raw({
    method,
    url,
    actor,
    headers: { 'accept-language': language },
  });
  return { status, code: body.code, message: body.message };
}

describe.each(routes.filter(needsApi))('$id needs an API of the contract', (route) => {
  test('and is refused to who has none, in both languages; with it, the call gets on', async () => {
    const without = vi.spyOn(plans[bare], 'apis', 'get').mockReturnValue([]);
    for (const language of languages) {
      expect(await codeOf(route, language)).toEqual({
        status: 403,
        code: 'E40304',
        message: errorCatalogue.E40304[language],
      });
    }
    without.mockReturnValue(plans.enterprise.apis);
    expect((await codeOf(route)).code).not.toBe('E40304');
    without.mockRestore();
  });
});

test.each(routes.filter((route) => !needsApi(route)))('$id is in every contract', async (route) => {
  const without = vi.spyOn(plans[bare], 'apis', 'get').mockReturnValue([]);
  expect((await codeOf(route)).code).not.toBe('E40304');
  without.mockRestore();
});

test('The group API is what people, groups, imports and the export of people need', () => {
  const ids = routes.filter(needsApi).map(({ id }) => id);
  for (const id of ['listUsers', 'createGroup', 'createUserImport', 'createUsersCsv', 'getUsersCsvUrl'])
    expect(ids).toContain(id);
});
