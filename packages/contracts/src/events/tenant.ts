import { z } from 'zod';
import { defineEvent } from '../core/event.ts';
import { dateTimeText } from '../core/fields.ts';
import { contractRanks, licenseTypes } from '../core/plans.ts';

const id = z.number().int();

const unit = z.object({
  unitId: id,
  name: z.string(),
  allocatedLicense: z.number().int().describe('Licences that the unit may give to its partners'),
  ownerPartnerid: z.number().int(),
  canForceDistributeApp: z.boolean(),
});

const unitExample = {
  unitId: 1,
  name: 'Demo unit',
  allocatedLicense: 1000,
  ownerPartnerid: 0,
  canForceDistributeApp: false,
};

/** What other services keep of a partner. */
export const partnerState = z.object({
  partnerId: id,
  unitId: id,
  name: z.string(),
  partnerCode: z.string(),
  contractRank: z.enum(contractRanks),
  licenseType: z.enum(licenseTypes),
  licenseCount: z.number().int().describe('Licences of the contract'),
  licenseExpiredOn: dateTimeText.nullable().describe('When the licences end; null: never'),
  userDeviceLimit: z
    .number()
    .int()
    .describe('Devices of a user who has no limit of their own; 0 is unlimited'),
  uapFileLimit: z.number().int().describe('`.uap` files; 0 is unlimited'),
  operationLogDownloadFlag: z.boolean(),
  lang: z.enum(['ja', 'en']).describe('The language of mails to its people'),
});

const partnerExample = {
  partnerId: 1,
  unitId: 1,
  name: 'Demo Corporation',
  partnerCode: '1000',
  contractRank: 'enterprise',
  licenseType: 'user',
  licenseCount: 100,
  licenseExpiredOn: '2028-11-21T00:00:00Z',
  userDeviceLimit: 0,
  uapFileLimit: 0,
  operationLogDownloadFlag: true,
  lang: 'ja',
} as const;

const topic = 'portal.tenant';

export const unitCreated = defineEvent({
  type: 'unit.created',
  topic,
  summary: 'An outsourcing unit came into being.',
  key: 'unitId',
  tenant: 'never',
  data: unit,
  example: unitExample,
});

export const partnerCreated = defineEvent({
  type: 'partner.created',
  topic,
  summary: 'A partner (tenant) came into being.',
  key: 'partnerId',
  tenant: 'always',
  data: partnerState,
  example: partnerExample,
});
