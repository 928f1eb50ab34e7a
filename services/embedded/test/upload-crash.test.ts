import { createHash, randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, signIn } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectAsService } from './support.ts';

/** SIGKILL while uploads are completed and taken back, several at once and by two at the same moment. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.remove());

const rounds = 2;
const writers = 4;
const files = '/v1/partner/partners/1/files';

interface Tried {
  readonly id: number;
  readonly uploadId: string;
  readonly sha256: string;
  readonly parts: { part_number: number; etag: string }[];
  completed: boolean;
  aborted: boolean;
}

async function openAndSend(token: string, name: string, inParts: boolean): Promise<Tried | undefined> {
  const bytes = randomBytes(200_000);
  const opened = await send(product, 'POST', files, {
    token,
    body: { name, file_name: `${name}.ufpz`, file_size: bytes.length },
  });
  if (opened.status !== 201) return undefined;
  const uploadId = String(opened.body['uploadId']);
  let address = String(opened.body['signedUrl']);
  if (inParts) {
    const signed = await send(product, 'POST', `/v1/uploads/${uploadId}/parts`, {
      token,
      body: { part_numbers: [1] },
    });
    const [part] = signed.body['parts'] as { signedUrl: string }[];
    address = part?.signedUrl ?? '';
  }
  const put = await fetch(address, { method: 'PUT', body: new Uint8Array(bytes) });
  if (!put.ok) return undefined;
  const etag = put.headers.get('etag') ?? '';
  return {
    id: Number(opened.body['id']),
    uploadId,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    parts: inParts ? [{ part_number: 1, etag }] : [],
    completed: false,
    aborted: false,
  };
}

async function complete(token: string, tried: Tried) {
  const path = `/v1/uploads/${tried.uploadId}/complete`;
  const reply = await send(product, 'POST', path, { token, body: { parts: tried.parts } });
  if (reply.status === 200) tried.completed = true;
  return reply;
}

async function abort(token: string, tried: Tried) {
  const reply = await send(product, 'DELETE', `/v1/uploads/${tried.uploadId}`, { token });
  if (reply.status === 200) tried.aborted = true;
  return reply;
}

test('When it is killed while uploads are completed and taken back, then what was acknowledged stays, and nothing else does', {
  timeout: 120_000,
}, async () => {
  const tries: Tried[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const token = await signIn(product, '1000', 'partner@example.com');
    const writing = new AbortController();
    const working = Array.from({ length: writers }, async (_, writer) => {
      for (let count = 0; !writing.signal.aborted; count += 1) {
        const tried = await openAndSend(token, `crash-${round}-${writer}-${count}`, count % 2 === 0);
        if (!tried) continue;
        tries.push(tried);
        // Half of them by two at the same moment, of whom either may be first.
        const byTwo = async () => {
          if (writer % 2 === 0) return;
          await sleep(count % 5 ? Math.random() * 40 : 0);
          await abort(token, tried);
        };
        await Promise.all([complete(token, tried), byTwo()]);
      }
    });
    // Calls that were under way when the process was killed fail with a broken connection.
    const settled = Promise.allSettled(working);
    const before = tries.filter(({ completed }) => completed).length;
    await vi.waitFor(
      () => expect(tries.filter(({ completed }) => completed).length).toBeGreaterThan(before + 3),
      { timeout: 20_000, interval: 20 },
    );
    await sleep(Math.random() * 200);
    await product.kill({ sparePostgres: round % 2 === 0 });
    writing.abort();
    await settled;
    await product.start();
  }
  expect(tries.filter(({ aborted }) => aborted).length).toBeGreaterThan(0);

  const token = await signIn(product, '1000', 'partner@example.com');
  for (const tried of tries) {
    const { aborted, completed } = tried;
    expect(completed && aborted, tried.uploadId).toBe(false);
    // Each call can be repeated, also by a client that got no answer.
    const again = await complete(token, tried);
    if (aborted) expect([again.status, again.body['code']]).toEqual([400, 'E40034']);
    else if (completed) expect(again.status).toBe(200);
    else expect([200, 400]).toContain(again.status);
    if (again.status !== 200) continue;
    const { body } = await send(product, 'GET', `${files}/${tried.id}`, { token });
    expect(body).toMatchObject({ uploadStatus: 'complete', sha256: tried.sha256 });
    const reply = await fetch(String(body['signedUrl']));
    const hash = createHash('sha256').update(Buffer.from(await reply.arrayBuffer()));
    expect(hash.digest('hex')).toBe(tried.sha256);
    expect((await abort(token, { ...tried })).body['code']).toBe('E40034');
  }

  const db = await connectAsService(product, 'file');
  try {
    const { rows: versions } = await db.query<{
      object_key: string;
      icon_key: string | null;
      status: string;
    }>(`SELECT object_key, icon_key, status FROM versions WHERE status IN ('complete', 'verifying')`);
    expect(versions.filter(({ status }) => status === 'verifying')).toEqual([]);
    const kept = new Set(
      versions.flatMap(({ icon_key, object_key }) => [object_key, ...(icon_key ? [icon_key] : [])]),
    );
    for (const key of kept) expect(await isStored(key), key).toBe(true);
    /** Of what is stored: what neither a row refers to nor a removal will take. The bytes of an upload may have come, and the answer not. */
    const nobodys = async () => {
      const { rows } = await db.query<{ key: string }>(
        `SELECT key FROM removals UNION ALL SELECT incoming_key FROM versions WHERE status = 'uploading'`,
      );
      const leaving = new Set(rows.map(({ key }) => key));
      return (await storedKeys()).filter((key) => !kept.has(key) && !leaving.has(key));
    };
    await expect.poll(nobodys, { timeout: 20_000, interval: 500 }).toEqual([]);
    const { rows: aborted } = await db.query<{ object_key: string; incoming_key: string }>(
      `SELECT object_key, incoming_key FROM versions WHERE status = 'aborted'`,
    );
    const gone = aborted.flatMap(({ incoming_key, object_key }) => [object_key, incoming_key]);
    const left = async () => {
      const stored = new Set(await storedKeys());
      return gone.filter((key) => stored.has(key));
    };
    await expect.poll(left, { timeout: 20_000, interval: 500 }).toEqual([]);
  } finally {
    await db.end();
  }
});

const objects = () => join(product.dataDir, 'objects', 'objects');

async function isStored(key: string): Promise<boolean> {
  const segments = key.split('/');
  const file = join(objects(), ...segments.slice(0, -1), `@${segments.at(-1)}`);
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Of the files of tenants; exports are another service's. */
async function storedKeys(): Promise<string[]> {
  const entries = await readdir(objects(), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath.slice(objects().length + 1), name.slice(1)))
    .filter((key) => /^partners\/\d+\/(files|imports)\//.test(key));
}
