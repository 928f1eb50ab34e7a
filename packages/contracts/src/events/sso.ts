import { z } from 'zod';
import { defineEvent } from '../core/event.ts';
import { revision } from '../core/fields.ts';

const topic = 'portal.sso';
const id = z.number().int();

/** What other services are told of the setting of single sign-on of a tenant. */
export const settingState = z.object({
  partnerId: id,
  revision,
  entityId: z.string().describe('What the portal is called at the identity provider'),
  useSsoFlag: z.boolean().describe('Whether people sign in this way, where their contract has it'),
  ssoOnly: z.boolean().describe('Whether passwords are refused to all but company admins'),
});
const example = {
  partnerId: 1,
  revision: 1,
  entityId: 'https://portal.example.com/v1/user/login/sso/metadata/1000',
  useSsoFlag: true,
  ssoOnly: false,
};

export const settingCreated = defineEvent({
  type: 'setting.created',
  topic,
  summary: 'Single sign-on of a tenant was set up.',
  key: 'partnerId',
  tenant: 'always',
  data: settingState,
  example,
});

export const settingUpdated = defineEvent({
  type: 'setting.updated',
  topic,
  summary:
    'The setting of single sign-on of a tenant was changed, or its entity id with the code of the tenant.',
  key: 'partnerId',
  tenant: 'always',
  data: settingState,
  example: { ...example, revision: 2, ssoOnly: true },
});

export const settingDeleted = defineEvent({
  type: 'setting.deleted',
  topic,
  summary: 'Single sign-on was taken away from a tenant.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({ partnerId: id, revision }),
  example: { partnerId: 1, revision: 3 },
});
