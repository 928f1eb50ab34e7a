import { open, readFile } from 'node:fs/promises';
import type { MultipartUpload, StoredPart } from '../object-storage.ts';
import { StorageError } from '../storage-error.ts';
import { fileMode, isMissing } from './disk-files.ts';

/** `spare` names the file of a part that was sent again; without it the part lies at its place in the object. */
export interface JournalledPart extends StoredPart {
  readonly spare?: string;
}

/**
 * The record of an upload: a line of JSON for what it is, then one for each part acknowledged, the last of a number
 * counting. A line that a crash cut short was never acknowledged and is passed over.
 */
export async function createJournal(path: string, upload: MultipartUpload): Promise<void> {
  await appendLine(path, 'wx', JSON.stringify(upload));
}

export async function appendPart(path: string, part: JournalledPart): Promise<void> {
  // Begins with a line break so that it does not join a line that was cut short.
  await appendLine(path, 'a', `\n${JSON.stringify(part)}`);
}

/** The acknowledged parts by number. Throws `unknown-upload` when there is no such upload, or not of that object. */
export async function readJournal(
  path: string,
  upload: MultipartUpload,
): Promise<Map<number, JournalledPart>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) throw new StorageError('unknown-upload', upload.uploadId);
    throw error;
  }
  const [head, ...lines] = text.split('\n');
  if (head !== JSON.stringify(upload)) throw new StorageError('unknown-upload', upload.uploadId);
  const parts = lines.flatMap((line) => parsedPart(line) ?? []);
  return new Map(parts.map((part) => [part.partNumber, part]));
}

async function appendLine(path: string, flags: 'a' | 'wx', line: string): Promise<void> {
  const handle = await open(path, flags, fileMode);
  try {
    await handle.write(`${line}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

function parsedPart(line: string): JournalledPart | undefined {
  if (!line.endsWith('}')) return undefined;
  try {
    const part: JournalledPart = JSON.parse(line);
    return part;
  } catch {
    return undefined;
  }
}
