import { limits } from '@portal/contracts';
import type { Job } from '@portal/service-kit';
import { expireUploads } from './use-cases/abort-upload.ts';
import { announceDue } from './use-cases/announce-due.ts';
import type { FileTools } from './use-cases/file-use-cases.ts';
import { removeObjects } from './use-cases/remove-objects.ts';
import { settleUploads } from './use-cases/settle-uploads.ts';
import type { Verifier } from './use-cases/verify-upload.ts';

const second = 1_000;
const hour = 3_600 * second;

/** All that this service does by itself. None of it decides what players see. */
export function jobs(tools: FileTools & { readonly verifier: Verifier }): readonly Job[] {
  return [
    { name: 'announce-due', everyMs: second, run: async () => announceDue(tools) },
    { name: 'settle-uploads', everyMs: 2 * second, run: async () => settleUploads(tools) },
    { name: 'resume-verification', everyMs: 5 * second, run: async () => tools.verifier.resume() },
    { name: 'expire-uploads', everyMs: 5 * second, run: async () => expireUploads(tools) },
    { name: 'remove-objects', everyMs: 5 * second, run: async () => removeObjects(tools) },
    { name: 'sweep-orphans', everyMs: hour, run: async () => sweepOrphans(tools) },
  ];
}

/** What the store has of uploads that nobody knows of any more; open ones are younger, or were aborted by now. */
async function sweepOrphans({ clock, storage }: FileTools): Promise<void> {
  await storage.sweepOrphans({ olderThan: new Date(clock.now().getTime() - 2 * limits.uploadLifetime) });
}
