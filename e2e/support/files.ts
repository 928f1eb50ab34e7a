import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface TestPackage {
  readonly path: string;
  readonly fileName: string;
  readonly sha256: string;
}

/** A package of `size` random bytes in `folder`. */
export async function makePackage(folder: string, fileName: string, size: number): Promise<TestPackage> {
  const content = randomBytes(size);
  const path = join(folder, fileName);
  await writeFile(path, content);
  return { path, fileName, sha256: createHash('sha256').update(content).digest('hex') };
}

/** A time from now as a `datetime-local` field of the test's browser, which stands in Japan, takes it. */
export function localTime(msFromNow: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Asia/Tokyo',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format.format(Date.now() + msFromNow).replace(' ', 'T');
}
