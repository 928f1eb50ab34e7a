import { z } from 'zod';
import type { ChangeKind } from '../core/changes.ts';
import { effect } from '../core/effect.ts';
import { dateTimeText, id } from '../core/fields.ts';
import { userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';
import { restoreVersion } from './delivery.ts';
import { assignGroups, reserveUpdate, updateFile } from './file.ts';

/** The effect of a change on those who get a file, before it is made. */

const { admin, developer } = userRoleBits;
/** Developers preview what they may change; the use cases say what that is. */
const editFiles = { kind: 'partner', roles: admin | developer } as const;

export const rolloutActions = ['advance', 'halt', 'resume', 'cancel'] as const;

function bodyOf<B extends z.ZodType>({
  body,
  id: name,
}: {
  readonly id: string;
  readonly body: B | undefined;
}): B {
  if (!body) throw new Error(`${name} takes no body`);
  return body;
}

/** The body of each change, as its call takes it, with what else its path names. */
export const changeBodies = {
  groups: bodyOf(assignGroups).omit({ previewToken: true }),
  file: bodyOf(updateFile).omit({ previewToken: true }),
  reservation: bodyOf(reserveUpdate).omit({ previewToken: true }),
  cancel_reservation: z.object({}),
  restore: bodyOf(restoreVersion)
    .omit({ previewToken: true })
    .extend({
      version: z.number().int().min(1).meta({ description: 'The version that is put back' }),
    }),
  rollout: z.object({ action: z.enum(rolloutActions), stage: z.number().int().optional() }),
  deletion: z.object({}),
} as const satisfies Record<ChangeKind, z.ZodObject>;

/** A change, in the form of its call. */
export const change = z.discriminatedUnion('what', [
  z.object({ what: z.literal('groups'), body: changeBodies.groups }),
  z.object({ what: z.literal('file'), body: changeBodies.file }),
  z.object({ what: z.literal('reservation'), body: changeBodies.reservation }),
  z.object({ what: z.literal('cancel_reservation'), body: changeBodies.cancel_reservation.optional() }),
  z.object({ what: z.literal('restore'), body: changeBodies.restore }),
  z.object({ what: z.literal('rollout'), body: changeBodies.rollout }),
  z.object({ what: z.literal('deletion'), body: changeBodies.deletion.optional() }),
]);

export const collisionKinds = ['reservation', 'rollout', 'limit', 'upload', 'approval'] as const;
export type CollisionKind = (typeof collisionKinds)[number];

export const previewChange = route({
  id: 'previewChange',
  service: 'file',
  method: 'POST',
  path: '/v1/partner/partners/:pid/files/:id/preview',
  summary:
    'The effect of a change on those who get the file: it is refused as the change would be, and changes nothing. Of a change ' +
    'at a time the effect as if that time were now; in stages, of the first stage.',
  access: editFiles,
  logged: false,
  params: z.object({ pid: id, id }),
  body: change,
  response: effect.extend({
    previewToken: z.string().meta({
      description: 'For the change, within 15 minutes: it is made with this effect, or refused with `E40034`',
    }),
    expiresAt: dateTimeText,
    collisions: z.array(z.object({ kind: z.enum(collisionKinds), message: z.string() })).meta({
      description: 'What the change meets, without being refused for it',
    }),
  }),
  errors: ['E40019', 'E40025', 'E40030', 'E40034', 'E40304', 'E40401', 'E40404', 'E40405', 'E50301'],
});
