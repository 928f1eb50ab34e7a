import { z } from 'zod';
import {
  dateTimeText,
  emptyReply,
  fileName,
  holdsNoPem,
  id,
  idName,
  idReply,
  listQuery,
  pageReply,
  queryFlag,
  requiredLine,
  text,
  timeZone,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { bytesOut } from '../core/media.ts';
import { pushLimits } from '../core/push.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { route, routeAt } from '../core/route.ts';

const { admin, pushApi } = userRoleBits;

const partnerParams = z.object({ pid: id });
const recordParams = z.object({ pid: id, id });

// Certifications: what pushes are sent with. A tenant's own, and the operator's, which tenants without one use.

const certifications = '/v1/partner/partners/:pid/push_notifications/certifications';
const chooseCertifications = { kind: 'partner', roles: admin | pushApi, api: 'certification' } as const;
const ownCertifications = { kind: 'partner', roles: admin, api: 'certification' } as const;
const operatorsCertification = {
  kind: 'admin',
  roles: adminRoleBits.superAdministration,
  platform: true,
} as const;

const operatorCertification = z.object({
  id: z.number().int(),
  certificationFileName: z.string().nullable(),
  hasApiKey: z.boolean().describe('It has a key for Android'),
  projectId: z.string().nullable().describe('The project of that key'),
  hasCertificate: z.boolean().describe('It has a certificate for iOS'),
  topic: z.string().nullable().describe('The app that the certificate is for'),
  certificateExpiresAt: dateTimeText.nullable(),
  inUse: z.boolean().describe('Notifications wait for it, or are being delivered with it'),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

const certification = operatorCertification.extend({ name: z.string() });

/** Forms send an empty text for what is not filled in. */
const filledIn = <const S extends z.ZodType>(schema: S) =>
  z
    .union([z.literal(''), schema])
    .nullable()
    .optional();

const operatorFields = z.object({
  apiKey: text(pushLimits.apiKeyMaxLength)
    .nullable()
    .optional()
    .describe(
      'The JSON of the key of a service account, for Android; null: takes it away. It is never answered',
    ),
  certificationFileName: filledIn(fileName.refine(holdsNoPem, { error: 'nameHoldsKey' })),
  certificate: text(pushLimits.certificateMaxLength)
    .nullable()
    .optional()
    .describe('In PEM, for iOS; null: takes it away, with its key'),
  privateKey: text(pushLimits.privateKeyMaxLength)
    .nullable()
    .optional()
    .describe('The key of the certificate in PEM. It is never answered'),
});
const ownFields = operatorFields.extend({
  name: requiredLine(limits.nameMaxLength).refine(holdsNoPem, { error: 'nameHoldsKey' }),
});

const deleteFlag = z.object({
  certificateDeleteFlag: z.boolean().optional().describe('True: takes the certificate away, with its key'),
});

export const certificationOrderKeys = ['id', 'name', 'updatedAt'] as const;

export const listCertifications = route({
  id: 'listCertifications',
  service: 'push',
  method: 'GET',
  path: certifications,
  summary:
    'The certificates of the tenant; with `all=true`, which senders of pushes may ask for too, the names alone.',
  access: chooseCertifications,
  params: partnerParams,
  query: listQuery(certificationOrderKeys).extend({
    all: queryFlag.optional(),
    name: text(limits.nameMaxLength).optional(),
  }),
  response: z.union([
    pageReply.extend({ certifications: z.array(certification) }),
    z.object({ certifications: z.array(idName) }),
  ]),
});

export const listPartnerCertifications = routeAt(listCertifications, {
  id: 'listPartnerCertifications',
  path: '/v1/admin/partners/:pid/certifications',
  summary: 'The certificates of a partner.',
  access: { kind: 'admin', roles: adminRoleBits.groupAdministration },
  errors: ['E40305', 'E40402'],
});

export const createCertification = route({
  id: 'createCertification',
  service: 'push',
  method: 'POST',
  path: certifications,
  summary: 'Registers a certificate: for Android, for iOS or for both.',
  access: ownCertifications,
  params: partnerParams,
  body: ownFields,
  status: 201,
  response: idReply,
  errors: ['E40029', 'E40030'],
});

export const getCertification = route({
  id: 'getCertification',
  service: 'push',
  method: 'GET',
  path: `${certifications}/:id`,
  summary: 'One certificate.',
  access: ownCertifications,
  params: recordParams,
  response: certification,
  errors: ['E40401'],
});

export const updateCertification = route({
  id: 'updateCertification',
  service: 'push',
  method: 'PUT',
  path: `${certifications}/:id`,
  summary: 'Changes a certificate; an absent field stays unchanged.',
  access: ownCertifications,
  params: recordParams,
  body: ownFields.partial().extend(deleteFlag.shape),
  response: emptyReply,
  errors: ['E40029', 'E40030', 'E40401'],
});

export const deleteCertification = route({
  id: 'deleteCertification',
  service: 'push',
  method: 'DELETE',
  path: `${certifications}/:id`,
  summary: 'Deletes a certificate that no notification waits for.',
  access: ownCertifications,
  params: recordParams,
  response: emptyReply,
  errors: ['E40031', 'E40401'],
});

export const exportCertifications = route({
  id: 'exportCertifications',
  service: 'push',
  method: 'GET',
  path: `${certifications}/csv`,
  summary: 'certifications.csv, streamed.',
  access: ownCertifications,
  logged: true,
  params: partnerParams,
  query: z.object({ tz: timeZone, name: text(limits.nameMaxLength).optional() }),
  response: bytesOut('text/csv'),
});

const operators = '/v1/admin/push_notifications/certifications';

export const getOperatorCertification = route({
  id: 'getOperatorCertification',
  service: 'push',
  method: 'GET',
  path: operators,
  summary: "The operator's certificate, which tenants without their own use; E40401 until there is one.",
  access: operatorsCertification,
  response: operatorCertification,
  errors: ['E40401'],
});

export const createOperatorCertification = route({
  id: 'createOperatorCertification',
  service: 'push',
  method: 'POST',
  path: operators,
  summary: "Registers the operator's certificate; there is one.",
  access: operatorsCertification,
  body: operatorFields,
  status: 201,
  response: idReply,
  errors: ['E40030', 'E40032'],
});

export const updateOperatorCertification = route({
  id: 'updateOperatorCertification',
  service: 'push',
  method: 'PUT',
  path: operators,
  summary: "Changes the operator's certificate; an absent field stays unchanged.",
  access: operatorsCertification,
  body: operatorFields.extend(deleteFlag.shape),
  response: emptyReply,
  errors: ['E40030', 'E40401'],
});

export const readP12 = route({
  id: 'readP12',
  service: 'push',
  method: 'POST',
  path: '/v1/pem',
  summary:
    'Reads a PKCS#12 file with one certificate and its RSA key, and answers both in PEM. It keeps nothing.',
  access: [ownCertifications, operatorsCertification],
  logged: false,
  answersSecret: true,
  maxBody: pushLimits.maxPemBody,
  body: z.object({
    p12: z
      .string()
      .min(1, { error: 'required' })
      .meta({ contentEncoding: 'base64', description: 'At most 1 MiB of bytes, in base64' }),
    password: text(pushLimits.p12PasswordMaxLength).nullable().optional().describe('May be empty'),
  }),
  response: z.object({
    certificate: z.string(),
    privateKey: z.string(),
    topic: z.string().nullable().describe('The app that the certificate is for'),
    subject: z.string(),
    certificateExpiresAt: dateTimeText,
  }),
});
