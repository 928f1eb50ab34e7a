import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { manualClock } from '@portal/kernel';
import { createLocalDiskStorage, createUrlSigner, type ObjectStorage } from '@portal/storage';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyWithDigest } from '../src/uploads/data/object-digest.ts';

const bytes = randomBytes(2_500_000);
const digest = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
const keys = { source: 'p/incoming', target: 'p/object' };

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portal-digest-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function openStorage(): Promise<ObjectStorage> {
  const clock = manualClock(new Date());
  const signer = createUrlSigner({ publicUrl: 'http://localhost', secret: Buffer.alloc(32, 1), clock });
  return createLocalDiskStorage({ directory, clock, signer });
}

const withoutLinks = async (): Promise<ObjectStorage> => {
  const { link: _, ...storage } = await openStorage();
  return storage;
};
const stores: [string, () => Promise<ObjectStorage>, { hash: boolean }][] = [
  ['has hashed it while it arrived', openStorage, { hash: true }],
  ['was started again meanwhile', openStorage, { hash: false }],
  ['has no links', withoutLinks, { hash: false }],
];

describe.each(stores)('When the store of a single PUT %s', (_, open, options) => {
  test('then what stands under the target is what the digest is of, whatever comes later', async () => {
    const storage = await open();
    await storage.put(keys.source, Readable.from([bytes]), options);
    expect(await copyWithDigest(storage, keys, new AbortController().signal)).toEqual(digest);
    await storage.put(keys.source, Readable.from([randomBytes(10)]));
    const content = await storage.get(keys.target);
    if (content === undefined || content === 'not-modified') throw new Error('There is no object');
    expect(await buffer(content.body)).toEqual(bytes);
  });

  test('then there is no digest of nothing', async () => {
    expect(await copyWithDigest(await open(), keys, new AbortController().signal)).toBeUndefined();
  });
});
