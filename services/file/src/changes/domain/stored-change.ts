import {
  type ChangeKind,
  changeKinds,
  formatDateTime,
  fromWire,
  previewRoutes,
  toWire,
} from '@portal/contracts';
import { z } from 'zod';
import type { AskedChange, ChangeBody } from './asked-change.ts';

/** A change that brings bytes: it goes on when they are there. */
export type BroughtChange =
  | { readonly what: 'file'; readonly body: ChangeBody<'file'> }
  | { readonly what: 'reservation'; readonly body: ChangeBody<'reservation'> };

/** A change with its body in the form of its call, to be kept. */
export const storedChangeSchema = z.object({
  what: z.enum(changeKinds),
  body: z.record(z.string(), z.json()),
});
export type StoredChange = z.output<typeof storedChangeSchema>;

export function storedChange({ body, what }: Pick<AskedChange, 'body' | 'what'>): StoredChange {
  const texts = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      value instanceof Date ? formatDateTime(value) : value,
    ]),
  );
  const onWire = toWire(previewRoutes.changeBodies[what])(texts);
  // What is undefined is left out.
  return storedChangeSchema.parse({ what, body: JSON.parse(JSON.stringify(onWire)) });
}

/** The change that was kept. */
export function askedChange(
  stored: { readonly what: ChangeKind; readonly body: unknown },
  of: Pick<AskedChange, 'fileId' | 'versionId'>,
): AskedChange {
  return { ...of, ...previewRoutes.change.parse(fromWire(previewRoutes.change)(stored)) } as AskedChange;
}
