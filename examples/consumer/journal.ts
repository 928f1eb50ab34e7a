import { type FileHandle, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PortalEvent } from './contract.ts';

/**
 * The effect of this example: a line in a file for each event. The line holds the event's id, so effect and id are
 * written in one step, and no crash can leave one without the other. A real consumer does the same with a table whose
 * key is the event's id, in the transaction of its effect.
 */
export interface Journal {
  has(id: string): boolean;
  /** Resolves when no crash can lose it. */
  write(event: PortalEvent): Promise<void>;
  close(): Promise<void>;
}

/** More events than can be repeated: a repeat is never older than the last committed offset. */
const remembered = 100_000;

export async function openJournal(path: string): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true });
  const text = await readFile(path, 'utf8').catch(() => '');
  // A crash cut off what follows the last line break, before its offset was committed: the event arrives again.
  const lines = text.split('\n').slice(0, -1);
  const whole = lines.map((line) => `${line}\n`).join('');
  if (whole !== text) await writeFile(path, whole);
  const ids = new Set<string>(lines.slice(-remembered).map((line) => JSON.parse(line).id));
  const file: FileHandle = await open(path, 'a');

  return {
    has: (id) => ids.has(id),
    async write(event) {
      await file.appendFile(`${JSON.stringify(event)}\n`);
      await file.datasync();
      ids.add(event.id);
      const [oldest] = ids;
      if (ids.size > remembered && oldest !== undefined) ids.delete(oldest);
    },
    close: () => file.close(),
  };
}
