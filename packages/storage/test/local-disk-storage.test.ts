import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeObjectStorage } from '../src/contract-suite.ts';
import type { MultipartUpload, StoredPart } from '../src/index.ts';
import { openLocalDisk } from './local-disk-harness.ts';

describeObjectStorage('local disk', openLocalDisk);

describe('local disk', () => {
  let disk: Awaited<ReturnType<typeof openLocalDisk>>;
  beforeEach(async () => {
    disk = await openLocalDisk();
  });
  afterEach(() => disk.close());

  const filesBelow = async (folder: string) =>
    (await readdir(join(disk.directory, folder), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  describe('When an object is linked', () => {
    const bytes = randomBytes(3_000_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const stored = async (key: string) => {
      const content = await disk.storage.get(key);
      return content && content !== 'not-modified' ? buffer(content.body) : undefined;
    };
    const put = async (content: Buffer, options = {}) =>
      disk.storage.put('from/one', Readable.from([content]), options);

    it('then both keys have its bytes, in the room of one, and the hash is known where it was asked for', async () => {
      await put(bytes, { hash: true });
      expect(await disk.storage.link?.('from/one', 'to/two')).toMatchObject({ size: bytes.length, sha256 });
      expect(await stored('to/two')).toEqual(bytes);
      const [one, two] = await Promise.all((await filesBelow('objects')).map((file) => stat(file)));
      expect(one?.ino).toBe(two?.ino);
      await put(bytes);
      expect((await disk.storage.link?.('from/one', 'to/three'))?.sha256).toBeUndefined();
    });

    it('then what becomes of one key does not change the other', async () => {
      await put(bytes, { hash: true });
      await disk.storage.link?.('from/one', 'to/two');
      const other = randomBytes(bytes.length);
      await put(other, { hash: true });
      expect(await stored('to/two')).toEqual(bytes);
      expect(await disk.storage.link?.('from/one', 'to/three')).toMatchObject({
        sha256: createHash('sha256').update(other).digest('hex'),
      });
      await disk.storage.delete('from/one');
      expect([await stored('to/two'), await stored('to/three')]).toEqual([bytes, other]);
      await disk.storage.delete('to/two');
      expect([await stored('to/two'), await stored('to/three')]).toEqual([undefined, other]);
    });

    it('then a store that was started again has the bytes, and nothing where there is no object', async () => {
      await put(bytes, { hash: true });
      const again = await disk.reopen();
      const linked = await again.link?.('from/one', 'to/two');
      expect([linked?.size, linked?.sha256]).toEqual([bytes.length, undefined]);
      expect(await again.link?.('from/none', 'to/three')).toBeUndefined();
      expect(await stored('to/three')).toBeUndefined();
      expect(await filesBelow('incoming')).toEqual([]);
    });

    it('then of a body that was cut or too short there is none', async () => {
      await expect(put(bytes, { hash: true, maxSize: 10 })).rejects.toMatchObject({ reason: 'too-large' });
      await expect(put(bytes, { hash: true, size: bytes.length + 1 })).rejects.toMatchObject({
        reason: 'wrong-size',
      });
      expect(await disk.storage.link?.('from/one', 'to/two')).toBeUndefined();
    });
  });

  it('When it is killed between part and complete, then every acknowledged part is there and nothing else', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'killed-writer.ts'), disk.directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const { upload, parts }: { upload: MultipartUpload; parts: StoredPart[] } = JSON.parse(String(line));

    const storage = await disk.reopen();
    expect(await storage.listParts(upload)).toEqual(parts);
    expect(await storage.head('crash/single')).toBeUndefined();
    const first = await storage.putPart(upload, 1, Readable.from([Buffer.alloc(100, 'a')]));
    await storage.completeMultipart(upload, [first, ...parts]);
    const content = await storage.get('crash/parts');
    if (content === undefined || content === 'not-modified') throw new Error('There is no object.');
    expect(await text(content.body)).toBe('a'.repeat(100) + 'b'.repeat(100) + 'c'.repeat(50));

    expect(await filesBelow('incoming')).toHaveLength(1);
    await disk.passTime(60_000);
    expect(await storage.sweepOrphans({ olderThan: disk.now() })).toBe(1);
    expect(await filesBelow('incoming')).toHaveLength(0);
    expect(await filesBelow('multipart')).toHaveLength(0);
  });

  it('When every part has come once, in any order, then their SHA-256 is known on completion', async () => {
    const bytes = randomBytes(10 * 1024 * 1024 + 7);
    const partSize = 3 * 1024 * 1024 + 1;
    const upload = await disk.storage.createMultipart('a/hashed', { size: bytes.length, partSize });
    const parts = await Promise.all(
      [4, 2, 1, 3].map((n) =>
        disk.storage.putPart(upload, n, Readable.from([bytes.subarray((n - 1) * partSize, n * partSize)])),
      ),
    );
    const { sha256 } = await disk.storage.completeMultipart(upload, parts);
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('When a part came again, or before a restart, then the SHA-256 is left to whoever reads the object', async () => {
    const replaced = await disk.storage.createMultipart('a/replaced', { size: 200, partSize: 100 });
    const put = (n: number) => Readable.from([Buffer.alloc(100, n)]);
    await disk.storage.putPart(replaced, 1, put(9));
    const parts = [
      await disk.storage.putPart(replaced, 1, put(1)),
      await disk.storage.putPart(replaced, 2, put(2)),
    ];
    expect(await disk.storage.completeMultipart(replaced, parts)).not.toHaveProperty('sha256');

    const goesOn = await disk.storage.createMultipart('a/goes-on', { size: 200, partSize: 100 });
    const first = await disk.storage.putPart(goesOn, 1, put(1));
    const storage = await disk.reopen();
    const second = await storage.putPart(goesOn, 2, put(2));
    expect(await storage.completeMultipart(goesOn, [first, second])).not.toHaveProperty('sha256');
  });

  it('When an upload completes while a part is still being sent, then that writer is stopped', async () => {
    const upload = await disk.storage.createMultipart('a/b', { size: 100, partSize: 100 });
    const stuck = new PassThrough();
    stuck.write(Buffer.alloc(40, 'z'));
    const writing = disk.storage.putPart(upload, 1, stuck);
    const refused = expect(writing).rejects.toMatchObject({ reason: 'unknown-upload' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const part = await disk.storage.putPart(upload, 1, Readable.from([Buffer.alloc(100, 'a')]));
    await disk.storage.completeMultipart(upload, [part]);
    stuck.end(Buffer.alloc(60, 'z'));
    await refused;
    const content = await disk.storage.get('a/b');
    if (content === undefined || content === 'not-modified') throw new Error('There is no object.');
    expect(await text(content.body)).toBe('a'.repeat(100));
  });

  it('When an upload is aborted while parts come, after a restart too, then it takes none of them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const upload = await disk.storage.createMultipart(`a/${round}`, { size: 100_000, partSize: 100_000 });
      const bytes = Buffer.alloc(100_000, 'a');
      await disk.storage.putPart(upload, 1, Readable.from([bytes]));
      const restarted = await disk.reopen();
      const late = () => restarted.putPart(upload, 1, Readable.from([bytes]));
      await Promise.allSettled([late(), restarted.abortMultipart(upload), late(), late()]);
      await restarted.abortMultipart(upload);
      await expect(late()).rejects.toMatchObject({ reason: 'unknown-upload' });
      expect(await filesBelow('multipart')).toEqual([]);
    }
  });

  it('keeps an object whose key begins like another', async () => {
    await disk.storage.put('a/b', Readable.from([Buffer.from('above')]));
    await disk.storage.put('a/b/c', Readable.from([Buffer.from('below')]));
    await disk.storage.delete('a/b');
    const content = await disk.storage.get('a/b/c');
    if (content === undefined || content === 'not-modified') throw new Error('There is no object.');
    expect(await text(content.body)).toBe('below');
  });

  it('When objects come and go under one folder, then none is lost to the tidying of empty folders', async () => {
    const round = async (name: number) => {
      for (let n = 0; n < 20; n += 1) {
        await disk.storage.put(`x/y/${name}`, Readable.from([Buffer.from('x')]));
        await disk.storage.delete(`x/y/${name}`);
      }
    };
    await Promise.all([1, 2, 3, 4].map(round));
    expect(await readdir(join(disk.directory, 'objects'))).toEqual([]);
  });

  it('keeps its files to itself', async (context) => {
    context.skip(process.platform === 'win32', 'Windows has no permission bits');
    await disk.storage.put('a/single', Readable.from([Buffer.from('x')]));
    const upload = await disk.storage.createMultipart('a/parts', { size: 1, partSize: 1 });
    await disk.storage.putPart(upload, 1, Readable.from([Buffer.from('x')]));
    const files = [...(await filesBelow('objects')), ...(await filesBelow('multipart'))];
    expect(files).toHaveLength(3);
    for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
