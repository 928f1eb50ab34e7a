import { z } from 'zod';
import { bodyId, dateTimeText, emptyReply, id, oneLine, text } from '../core/fields.ts';
import { bytesOut } from '../core/media.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { route, routeAt } from '../core/route.ts';
import { ssoLimits } from '../core/sso.ts';

/** The setting of single sign-on of a tenant, and its tokens for provisioning. */

const partnerParams = z.object({ pid: id });
const companyAdmins = { kind: 'partner', roles: userRoleBits.admin, api: 'sso' } as const;
const partnerAdministrators = { kind: 'admin', roles: adminRoleBits.partnerAdministration } as const;

/** Forms send an empty text for what is not filled in: it is null. */
const filledIn = <const S extends z.ZodType<string>>(schema: S) =>
  z
    .union([z.literal(''), schema])
    .nullable()
    .transform((value) => value || null)
    .optional();

/** Whether its host may be asked is the service's to say. */
const address = z.url({ protocol: /^https?$/, error: 'invalidValue' }).max(ssoLimits.urlMaxLength);

const settingFields = z.object({
  loginUrl: filledIn(address).describe('Where people sign in at the provider; absent: as the metadata says'),
  metadata: filledIn(
    z
      .base64({ error: 'samlMetadata' })
      .max(Math.ceil(ssoLimits.maxMetadataSize / 3) * 4, { error: 'samlMetadata' })
      .meta({ contentEncoding: 'base64' }),
  ).describe('The metadata of the identity provider: XML of at most 1 MiB, in base64'),
  metadataUrl: filledIn(address).describe(
    'Where the metadata is fetched, when it is saved and every day; goes before `metadata`. One of the two is required',
  ),
  defaultGroup: bodyId
    .nullable()
    .optional()
    .describe('A group that everybody who comes this way is put into'),
  groupAttribute: filledIn(oneLine(ssoLimits.attributeMaxLength)).describe(
    'The attribute that names the groups of a person',
  ),
  usernameAttribute: filledIn(oneLine(ssoLimits.attributeMaxLength)).describe(
    'The attribute with the e-mail address or login user id of a person; absent: the NameID',
  ),
  entityIdSuffix: filledIn(
    z
      .string()
      .max(ssoLimits.suffixMaxLength)
      .regex(/^[A-Za-z0-9-]*$/, { error: 'invalidValue' }),
  ).describe('Letters, digits and hyphens, that end the entity id'),
  useSsoFlag: z.boolean().optional().describe('Whether people sign in this way: true unless told'),
  ssoOnly: z
    .boolean()
    .optional()
    .describe('Whether passwords are refused to all but company admins: false unless told'),
});

const setting = z.object({
  loginUrl: z.string().nullable(),
  metadata: z.string().nullable().describe('As it was given or fetched last, in base64'),
  metadataUrl: z.string().nullable(),
  defaultGroup: z.number().int().nullable(),
  groupAttribute: z.string().nullable(),
  usernameAttribute: z.string().nullable(),
  entityIdSuffix: z.string().nullable(),
  useSsoFlag: z.boolean(),
  ssoOnly: z.boolean(),
  entityId: z.string().describe('What the portal is called at the provider'),
  acsUrl: z.string().describe('Where the provider sends its responses'),
  spMetadataUrl: z.string().describe('Where the provider reads these from'),
  certificateExpiresAt: dateTimeText
    .nullable()
    .describe('When the signing certificate of the provider ends, the first of several'),
  metadataFetchedAt: dateTimeText.nullable().describe('When it was last fetched; null where it was given'),
  lastLoginAt: dateTimeText.nullable(),
  lastError: z
    .object({ at: dateTimeText, reason: z.string() })
    .nullable()
    .describe('What was last refused, and why'),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

const errors = {
  create: ['E40029', 'E40032', 'E40404', 'E50301'],
  update: ['E40029', 'E40034', 'E40401', 'E40404', 'E50301'],
  reached: ['E40304', 'E40305', 'E40402'],
} as const;
const own = '/v1/partner/partners/:pid/sso';
const reached = '/v1/admin/partners/:pid/sso';

export const getSso = route({
  id: 'getSso',
  service: 'sso',
  method: 'GET',
  path: own,
  summary: 'The setting of single sign-on; E40401 until there is one.',
  access: companyAdmins,
  params: partnerParams,
  response: setting,
  errors: ['E40401'],
});

export const createSso = route({
  id: 'createSso',
  service: 'sso',
  method: 'POST',
  path: own,
  summary: 'Sets single sign-on up; there is one setting.',
  access: companyAdmins,
  params: partnerParams,
  body: settingFields,
  maxBody: ssoLimits.maxSettingBody,
  status: 201,
  response: z.object({ id: z.number().int().describe('That of the tenant') }),
  errors: errors.create,
});

export const updateSso = route({
  id: 'updateSso',
  service: 'sso',
  method: 'PUT',
  path: own,
  summary: 'Changes single sign-on; an absent field stays unchanged.',
  access: companyAdmins,
  params: partnerParams,
  body: settingFields,
  maxBody: ssoLimits.maxSettingBody,
  response: emptyReply,
  errors: errors.update,
});

export const getPartnerSso = routeAt(getSso, {
  id: 'getPartnerSso',
  path: reached,
  summary: 'The setting of single sign-on of a partner; E40401 until there is one.',
  access: partnerAdministrators,
  errors: errors.reached,
});

export const createPartnerSso = routeAt(createSso, {
  id: 'createPartnerSso',
  path: reached,
  summary: 'Sets single sign-on of a partner up.',
  access: partnerAdministrators,
  errors: errors.reached,
});

export const updatePartnerSso = routeAt(updateSso, {
  id: 'updatePartnerSso',
  path: reached,
  summary: 'Changes single sign-on of a partner; an absent field stays unchanged.',
  access: partnerAdministrators,
  errors: errors.reached,
});

export const deletePartnerSso = route({
  id: 'deletePartnerSso',
  service: 'sso',
  method: 'DELETE',
  path: reached,
  summary: 'Takes single sign-on away from a partner: its people sign in with passwords.',
  access: partnerAdministrators,
  params: partnerParams,
  response: emptyReply,
  errors: ['E40401', ...errors.reached],
});

export const serviceProviderMetadata = route({
  id: 'serviceProviderMetadata',
  service: 'sso',
  method: 'GET',
  path: '/v1/user/login/sso/metadata',
  summary: 'What an identity provider is told of the portal of a tenant, as SAML metadata.',
  access: { kind: 'public' },
  tries: 'none',
  query: z.object({ partnerCode: text(64).min(1, { error: 'required' }) }),
  response: bytesOut('application/samlmetadata+xml'),
  errors: ['E40401'],
});
