import { z } from 'zod';
import { approvalKinds, approvalStates } from '../core/changes.ts';
import { effect } from '../core/effect.ts';
import {
  dateTimeText,
  emptyReply,
  id,
  idName,
  oneOrMoreOf,
  pageNumber,
  pageReply,
  pageSize,
  requiredText,
  text,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';

/** Changes of what people get that wait for another admin. */

const distribute = { kind: 'partner', roles: userRoleBits.admin } as const;
const path = '/v1/partner/partners/:pid/approvals';
const ofRequest = z.object({ pid: id, id });

const approval = z.object({
  id: z.number().int(),
  what: z.enum(approvalKinds),
  state: z.enum(approvalStates).meta({
    description:
      'waiting: for another admin; approved: it was made as it was shown; declined: by another admin, or taken back by who ' +
      'asked; expired: nobody decided within 7 days; stale: its effect is another by now, so it was not made',
  }),
  file: idName
    .nullable()
    .meta({ description: 'With the name of the time at which it was asked; null of settings' }),
  body: z.record(z.string(), z.unknown()).meta({
    description:
      'Of the call that asked, as that takes it; of restore with its `version`, of rollout with its `action`',
  }),
  preview: effect.nullable().meta({ description: 'Null of settings' }),
  by: idName.meta({ description: 'Who asked, by the name of that time' }),
  at: dateTimeText,
  expiresAt: dateTimeText,
  decidedBy: idName.nullable().meta({ description: 'Null while it waits, and where nobody decided' }),
  decidedAt: dateTimeText.nullable(),
  comment: z.string().nullable(),
});

export const listApprovals = route({
  id: 'listApprovals',
  service: 'file',
  method: 'GET',
  path,
  summary: 'The changes that waited or wait for another admin, newest first.',
  access: distribute,
  params: z.object({ pid: id }),
  query: z.object({
    page: pageNumber,
    perPage: pageSize,
    state: oneOrMoreOf(approvalStates).optional(),
    what: oneOrMoreOf(approvalKinds).optional(),
    fileId: id.optional(),
    by: id.optional().meta({ description: 'The id of who asked' }),
  }),
  response: pageReply.extend({ approvals: z.array(approval) }),
});

export const getApproval = route({
  id: 'getApproval',
  service: 'file',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'One change that waited or waits for another admin.',
  access: distribute,
  params: ofRequest,
  response: approval,
  errors: ['E40401'],
});

export const approveChange = route({
  id: 'approveChange',
  service: 'file',
  method: 'POST',
  path: `${path}/:id/approve`,
  summary:
    'Makes a change that another admin asked for, exactly as it was shown; if its effect is another by now it is stale for ' +
    'good.',
  access: distribute,
  params: ofRequest,
  body: z.object({ comment: text(limits.approvalCommentMaxLength).nullable().optional() }),
  response: emptyReply,
  errors: ['E40034', 'E40401', 'E50301'],
});

export const declineChange = route({
  id: 'declineChange',
  service: 'file',
  method: 'POST',
  path: `${path}/:id/decline`,
  summary: 'Declines a change that another admin asked for, with a word; one of their own is taken back.',
  access: distribute,
  params: ofRequest,
  body: z.object({ comment: requiredText(limits.approvalCommentMaxLength) }),
  response: emptyReply,
  errors: ['E40034', 'E40401'],
});
