import { z } from 'zod';
import { id } from '../core/fields.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { rolloutReply } from '../core/rollout.ts';
import { route } from '../core/route.ts';
import { previewToken, waiting } from './file.ts';

/** How the current version of a file reaches its devices in stages. The plan comes with the change that delivers it. */

const { admin, developer } = userRoleBits;
const distribute = { kind: 'partner', roles: admin } as const;
const readFiles = { kind: 'partner', roles: admin | developer } as const;

const ofFile = z.object({ pid: id, id });
const path = '/v1/partner/partners/:pid/files/:id/rollout';

export const getRollout = route({
  id: 'getRollout',
  service: 'file',
  method: 'GET',
  path,
  summary: 'The stages of the current version of a file: `E40401` where it has none.',
  access: readFiles,
  params: ofFile,
  response: rolloutReply,
  errors: ['E40401', 'E40405'],
});

const change = {
  service: 'file',
  method: 'POST',
  access: distribute,
  params: ofFile,
  // Three of them take no body.
  query: z.object({ previewToken: previewToken.optional() }),
  response: rolloutReply,
  otherReplies: { 202: waiting },
  errors: ['E40034', 'E40401', 'E40405'] as const,
} as const;

export const advanceRollout = route({
  ...change,
  id: 'advanceRollout',
  path: `${path}/advance`,
  summary: 'Begins the next stage now; its number is required, so that two callers never skip one.',
  body: z.object({
    stage: z.number().int(),
    previewToken: previewToken.optional(),
  }),
});

export const haltRollout = route({
  ...change,
  id: 'haltRollout',
  path: `${path}/halt`,
  summary: 'No further device gets the version; those that have not installed it get the version before.',
});

export const resumeRollout = route({
  ...change,
  id: 'resumeRollout',
  path: `${path}/resume`,
  summary:
    'Goes on after a halt, with the same devices. Reports are counted anew, and the wait for the next stage too.',
});

export const cancelRollout = route({
  ...change,
  id: 'cancelRollout',
  path: `${path}/cancel`,
  summary: 'Halts for good.',
});

/** Of applications: the stages are their publisher's, over all tenants that have them. */

const administerFiles = { kind: 'admin', roles: adminRoleBits.fileAdministration } as const;
const applicationPath = '/v1/admin/applications/:id/rollout';
const ofApplication = z.object({ id });

export const getApplicationRollout = route({
  id: 'getApplicationRollout',
  service: 'file',
  method: 'GET',
  path: applicationPath,
  summary:
    'The stages of the current version of an application, counted over all its tenants: `E40401` where it has none.',
  access: administerFiles,
  params: ofApplication,
  response: rolloutReply,
  errors: ['E40401', 'E40405'],
});

const applicationChange = {
  service: 'file',
  method: 'POST',
  access: administerFiles,
  params: ofApplication,
  response: rolloutReply,
  errors: ['E40034', 'E40401', 'E40405'] as const,
} as const;

export const advanceApplicationRollout = route({
  ...applicationChange,
  id: 'advanceApplicationRollout',
  path: `${applicationPath}/advance`,
  summary: advanceRollout.summary,
  body: z.object({ stage: z.number().int() }),
});

export const haltApplicationRollout = route({
  ...applicationChange,
  id: 'haltApplicationRollout',
  path: `${applicationPath}/halt`,
  summary: haltRollout.summary,
});

export const resumeApplicationRollout = route({
  ...applicationChange,
  id: 'resumeApplicationRollout',
  path: `${applicationPath}/resume`,
  summary: resumeRollout.summary,
});

export const cancelApplicationRollout = route({
  ...applicationChange,
  id: 'cancelApplicationRollout',
  path: `${applicationPath}/cancel`,
  summary: cancelRollout.summary,
});
