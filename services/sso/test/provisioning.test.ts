import { ssoTokenRoutes } from '@portal/contracts';
import { changeProvisionedGroup, getProvisionedGroup } from '@portal/contracts/internal';
import { AppError, fieldError } from '@portal/kernel';
import { implement } from '@portal/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SsoHarness, startSsoHarness } from './sso-harness.ts';

/** What a provisioning client is told where the user service refuses; the whole way is tested in the embedded host. */

let harness: SsoHarness;
let refusedWith: AppError;
beforeAll(async () => {
  harness = await startSsoHarness({
    peers: [changeProvisionedGroup, getProvisionedGroup].map((contract) =>
      implement(contract, async () => {
        throw refusedWith;
      }),
    ),
  });
});
afterAll(async () => harness.stop());

test.each([
  ['more members than an answer names', fieldError('E40034', 'members', 'outOfRange'), 400, 'tooMany'],
  ['another version', new AppError('E40034'), 412, undefined],
])('A change of a group with %s is refused as such', async (_, refusal, status, scimType) => {
  refusedWith = refusal;
  const reply = await patchGroup({ Operations: [{ op: 'replace', path: 'displayName', value: 'Renamed' }] });
  expect(reply).toMatchObject({ status, body: { status: String(status) } });
  expect((reply.body as { scimType?: string }).scimType).toBe(scimType);
});

test.each([
  { operations: 'Operations', path: 'path' },
  { operations: 'operations', path: 'path' },
  { operations: 'Operations', path: 'Path' },
])('An endless path is refused, whatever the case of $operations and $path', async ({ operations, path }) => {
  const endless = `members[value eq ${'\\"'.repeat(240_000)}`;
  const reply = await patchGroup({ [operations]: [{ op: 'remove', [path]: endless }] });
  expect(reply.status).toBe(400);
});

async function patchGroup(changes: object) {
  const { admin, pid } = await harness.partner();
  const request = { params: { pid }, body: { name: 'Entra ID' } };
  const { body } = await harness.call(ssoTokenRoutes.createProvisioningToken, request, admin);
  return harness.raw({
    method: 'PATCH',
    url: `/scim/v2/${pid}/Groups/1?attributes=members`,
    headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/scim+json' },
    payload: JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], ...changes }),
  });
}
