import { z } from 'zod';
import { dateTimeText, emptyReply, id, requiredLine } from '../core/fields.ts';
import { userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';
import { ssoLimits } from '../core/sso.ts';

/** The tokens with which the identity provider of a tenant provisions its people (SCIM). */

const companyAdmins = { kind: 'partner', roles: userRoleBits.admin, api: 'sso' } as const;
const tokens = '/v1/partner/partners/:pid/sso/tokens';

export const listProvisioningTokens = route({
  id: 'listProvisioningTokens',
  service: 'sso',
  method: 'GET',
  path: tokens,
  summary: 'The tokens for provisioning, the newest first.',
  access: companyAdmins,
  params: z.object({ pid: id }),
  response: z.object({
    tokens: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        createdAt: dateTimeText,
        lastUsedAt: dateTimeText.nullable().describe('To the minute'),
      }),
    ),
  }),
});

export const createProvisioningToken = route({
  id: 'createProvisioningToken',
  service: 'sso',
  method: 'POST',
  path: tokens,
  summary: 'Makes a token for provisioning, which is answered this once; at most 5.',
  access: companyAdmins,
  shownOnce: ['token'],
  params: z.object({ pid: id }),
  body: z.object({ name: requiredLine(ssoLimits.tokenNameMaxLength) }),
  status: 201,
  response: z.object({ id: z.number().int(), token: z.string() }),
  errors: ['E40032'],
});

export const deleteProvisioningToken = route({
  id: 'deleteProvisioningToken',
  service: 'sso',
  method: 'DELETE',
  path: `${tokens}/:id`,
  summary: 'Revokes a token for provisioning, at once.',
  access: companyAdmins,
  params: z.object({ pid: id, id }),
  response: emptyReply,
  errors: ['E40401'],
});
