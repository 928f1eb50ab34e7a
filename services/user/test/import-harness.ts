import { Readable } from 'node:stream';
import { fileEvents, type Language, type RouteReply, type RouteRequest, userRoutes } from '@portal/contracts';
import { openUserImport } from '@portal/contracts/internal';
import { newId } from '@portal/kernel';
import { expect, vi } from 'vitest';
import type { TestPartner, UserHarness } from './user-harness.ts';

/** Milliseconds between two looks at an import. */
const interval = 100;

export const header = 'name,email,login_user_id,password,json,group_ids,delete_flag';

type Confirmation = Omit<RouteRequest<typeof userRoutes.applyUserImport>['body'], 'batchProcessId'>;
type Status = RouteReply<typeof userRoutes.getUserImport>;

/** A CSV file with the header; cells are written as they are. */
export const csv = (...lines: string[]) => [header, ...lines, ''].join('\r\n');

export function importsOf(harness: UserHarness, { actor, pid }: TestPartner) {
  const status = async (batchProcessId: number, language: Language = 'en'): Promise<Status> => {
    const request = { params: { pid }, query: { batchProcessId }, headers: { 'accept-language': language } };
    return (await harness.call(userRoutes.getUserImport, request, actor)).body;
  };

  const imports = {
    status,

    async open(preview = false): Promise<number> {
      const body = { partnerId: pid, openedBy: actor.id, preview };
      return (await harness.callAs('file', openUserImport, { body })).body.importId;
    },

    /** The file service tells that the file has come. */
    async arrive(importId: number, content: string | Uint8Array): Promise<string> {
      const objectKey = `partners/${pid}/imports/${importId}/${newId()}`;
      const { size } = await harness.storage.put(objectKey, Readable.from([Buffer.from(content)]));
      await harness.deliver(fileEvents.uploadCompleted, {
        subject: objectKey,
        partnerId: pid,
        data: { uploadId: newId(), purpose: 'users_csv', importId, objectKey, size },
      });
      return objectKey;
    },

    async settled(importId: number, language: Language = 'en'): Promise<Status> {
      return vi.waitFor(
        async () => {
          const now = await status(importId, language);
          // A worker that was broken off on a busy machine tries again later: time goes on while it is waited for, twice as
          // quickly as it does, and never as far as the end of a lease that is renewed.
          if (now.status === 'processing') {
            harness.clock.advance(2 * interval);
            await harness.runJobs();
          }
          expect(now.status).not.toBe('processing');
          return now;
        },
        { timeout: 40_000, interval },
      );
    },

    /** The word that a checked import is to be applied, and what came of it. */
    async apply(batchProcessId: number, confirmation: Confirmation = {}): Promise<Status> {
      const request = { params: { pid }, body: { batchProcessId, ...confirmation } };
      expect((await harness.call(userRoutes.applyUserImport, request, actor)).status).toBe(200);
      return imports.settled(batchProcessId);
    },

    /** An import from its file to its end. */
    async run(content: string | Uint8Array, options: { preview?: boolean; language?: Language } = {}) {
      const id = await imports.open(options.preview);
      await imports.arrive(id, content);
      return { id, ...(await imports.settled(id, options.language)) };
    },
  };
  return imports;
}
