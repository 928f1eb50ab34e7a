import { z } from 'zod';
import { defineEvent } from '../core/event.ts';
import { dateTimeText, revision } from '../core/fields.ts';
import { contractRanks, licenseTypes } from '../core/plans.ts';

const id = z.number().int();

/** What other services keep of a unit. */
export const unitState = z.object({
  unitId: id,
  revision,
  name: z.string(),
  allocatedLicense: z.number().int().describe('Licences that the unit can allocate to its partners'),
  ownerPartnerid: z.number().int(),
  canForceDistributeApp: z.boolean(),
});

const unitExample = {
  unitId: 1,
  revision: 1,
  name: 'Demo unit',
  allocatedLicense: 1000,
  ownerPartnerid: 0,
  canForceDistributeApp: false,
};

/** What other services keep of a partner. */
export const partnerState = z.object({
  partnerId: id,
  revision,
  unitId: id,
  name: z.string(),
  partnerCode: z.string(),
  contractRank: z.enum(contractRanks),
  licenseType: z.enum(licenseTypes),
  licenseCount: z.number().int().describe('Licences of the contract'),
  licenseExpiredOn: dateTimeText.nullable().describe('When the licences expire; null: never'),
  userDeviceLimit: z
    .number()
    .int()
    .describe('Maximum number of devices of a user without a limit of their own; 0 is unlimited'),
  uapFileLimit: z.number().int().describe('Maximum number of `.uap` files; 0 is unlimited'),
  filePublicFlag: z.boolean().default(true).describe('Whether files may be delivered to everyone (group 0)'),
  operationLogDownloadFlag: z.boolean(),
  lang: z.enum(['ja', 'en']).describe('The language of mails to its users'),
  timeZone: z
    .string()
    .optional()
    .describe('Its IANA name; absent in events from before it was told: Asia/Tokyo'),
});

const partnerExample = {
  partnerId: 1,
  revision: 1,
  unitId: 1,
  name: 'Demo Corporation',
  partnerCode: '1000',
  contractRank: 'enterprise',
  licenseType: 'user',
  licenseCount: 100,
  licenseExpiredOn: '2028-11-21T00:00:00Z',
  userDeviceLimit: 0,
  uapFileLimit: 0,
  filePublicFlag: true,
  operationLogDownloadFlag: true,
  lang: 'ja',
  timeZone: 'Asia/Tokyo',
} as const;

/** What the licence log tells of a contract: of each entry what changed. */
export const licenceTerms = z
  .object({
    contractRank: z.enum(contractRanks),
    licenseType: z.enum(licenseTypes),
    licenseCount: z.number().int(),
    licenseExpiredOn: dateTimeText.nullable(),
    uapFileLimit: z.number().int(),
    unitId: id,
  })
  .partial();

const topic = 'portal.tenant';

export const unitCreated = defineEvent({
  type: 'unit.created',
  topic,
  summary: 'An outsourcing unit was created.',
  key: 'unitId',
  tenant: 'never',
  data: unitState,
  example: unitExample,
});

export const unitUpdated = defineEvent({
  type: 'unit.updated',
  topic,
  summary: 'An outsourcing unit was changed.',
  key: 'unitId',
  tenant: 'never',
  data: unitState,
  example: { ...unitExample, revision: 2 },
});

export const unitDeleted = defineEvent({
  type: 'unit.deleted',
  topic,
  summary: 'An outsourcing unit was deleted.',
  key: 'unitId',
  tenant: 'never',
  data: z.object({ unitId: id }),
  example: { unitId: 1 },
});

export const partnerCreated = defineEvent({
  type: 'partner.created',
  topic,
  summary: 'A partner (tenant) was created.',
  key: 'partnerId',
  tenant: 'always',
  data: partnerState,
  example: partnerExample,
});

export const partnerSignedUp = defineEvent({
  type: 'partner.signed_up',
  topic,
  summary:
    'A partner was created by its own sign-up; comes after its `partner.created`. One that is not activated by the link of the mail is deleted after 7 days.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({
    partnerId: id,
    unitId: id,
    contractRank: z.enum(['free', 'trial']),
    applicationId: id
      .nullable()
      .describe('The application that it is to have from the start, beside those for all partners'),
  }),
  example: { partnerId: 1, unitId: 1, contractRank: 'trial', applicationId: null },
});

export const companyAdminRequested = defineEvent({
  type: 'company_admin.requested',
  topic,
  summary:
    'A partner signed up, and its company admin is to be made. The user service makes them. Between services alone.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({
    partnerId: id,
    sealed: z.string().describe('Who it is; readable only by the user service of the portal'),
  }),
  example: { partnerId: 1, sealed: 'c2VhbGVk' },
});

export const demoUsersRequested = defineEvent({
  type: 'demo_users.requested',
  topic,
  summary:
    'A partner was created with users to try it with. The user service makes them, in a group `Demo`. Between services alone.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({
    partnerId: id,
    sealed: z
      .string()
      .describe('Their login user ids and passwords; readable only by the user service of the portal'),
  }),
  example: { partnerId: 1, sealed: 'c2VhbGVk' },
});

export const partnerUpdated = defineEvent({
  type: 'partner.updated',
  topic,
  summary: 'A partner was changed, or moved to another unit.',
  key: 'partnerId',
  tenant: 'always',
  data: partnerState,
  example: { ...partnerExample, revision: 2 },
});

export const partnerDeleted = defineEvent({
  type: 'partner.deleted',
  topic,
  summary: 'A partner was deleted; every service deletes what it has of it.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({ partnerId: id }),
  example: { partnerId: 1 },
});

export const partnerLicenceChanged = defineEvent({
  type: 'partner.licence_changed',
  topic,
  summary:
    'The contract rank, the licences, their end, the limit of `.uap` files or the unit of a partner were changed, or set with a new partner.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({
    partnerId: id,
    adminId: id.nullable().describe('The administrator who changed them; null: nobody, as with a sign-up'),
    before: licenceTerms.nullable().describe('What changed, as it was; null of a new partner'),
    after: licenceTerms,
  }),
  example: { partnerId: 1, adminId: 1, before: { licenseCount: 100 }, after: { licenseCount: 200 } },
});

export const licenceEnding = defineEvent({
  type: 'licence.ending',
  topic,
  summary:
    'The licences of a partner end in 30 days, or in 7. Sent once for each, and for each date of the end.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({
    partnerId: id,
    licenseExpiredOn: dateTimeText.describe('When the licences expire'),
    days: z.number().int().describe('30 or 7: at most so many days before'),
  }),
  example: { partnerId: 1, licenseExpiredOn: '2028-11-21T00:00:00Z', days: 30 },
});

const licenceHold = z.object({
  partnerId: id,
  holdId: z.uuid(),
});

export const licenceHoldAsked = defineEvent({
  type: 'licence_hold.asked',
  topic,
  summary:
    'The licences of a partner are about to be fewer, or to count something else. The user service answers whether what is in ' +
    'use fits, and lets no more be used until the hold has ended. Between services alone.',
  key: 'partnerId',
  tenant: 'always',
  data: licenceHold.extend({
    licenseType: z.enum(licenseTypes),
    licenseCount: z.number().int(),
    until: dateTimeText.describe('From then on it is refused'),
  }),
  example: {
    partnerId: 1,
    holdId: '019363a0-0000-7000-8000-000000000000',
    licenseType: 'user',
    licenseCount: 50,
    until: '2026-11-21T09:00:10Z',
  },
});

export const licenceHoldEnded = defineEvent({
  type: 'licence_hold.ended',
  topic,
  summary:
    'A hold of licences has ended: the change was made, as the `partner.updated` before it tells, or it was given up. Between ' +
    'services alone.',
  key: 'partnerId',
  tenant: 'always',
  data: licenceHold,
  example: { partnerId: 1, holdId: '019363a0-0000-7000-8000-000000000000' },
});
