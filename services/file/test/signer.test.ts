import { createHash } from 'node:crypto';
import { fileRoutes } from '@portal/contracts';
import { createLogger, systemClock } from '@portal/kernel';
import { createS3Storage } from '@portal/storage/s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, type FileHarness, startFileHarness, stranger } from './file-harness.ts';

let harness: FileHarness;
const bucket = 'tenants';
const region = 'ap-northeast-1';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.partner(2);
});
afterAll(async () => harness.stop());

/** Signing needs the account alone; the bytes stay on the disk of the harness. */
function signByS3(): void {
  const { remoteSigning } = createS3Storage({
    endpoint: 'http://127.0.0.1:1',
    region,
    bucket,
    accessKeyId: 'portal',
    secretAccessKey: 'secret',
    portalUrl: 'http://portal.test',
    clock: systemClock(),
    signer: harness.signer,
    logger: createLogger({ level: 'silent' }),
  });
  Object.assign(harness.storage, { remoteSigning });
}

const create = async (fileName: string, actor = admin) => {
  const created = await harness.call(
    fileRoutes.createFile,
    {
      params: { pid: actor.kind === 'tenant' ? actor.partnerId : 0 },
      body: { name: fileName, fileName, fileSize: 7 },
    },
    actor,
  );
  expect(created.status).toBe(201);
  const { storage, uploadId } = created.body;
  return { storage, uploadId, key: `${storage.bucketDir}/${uploadId}` };
};

const now = (shiftMs = 0) => new Date(Date.now() + shiftMs).toISOString().replace(/[-:]|\.\d{3}/g, '');

function canonical(
  request: { path: string; method?: string; query?: string; headers?: Record<string, string> },
  datetime: string,
): string {
  const { headers, method = 'PUT', path, query = '' } = request;
  const signed = Object.entries({ host: 's3.test', 'x-amz-date': datetime, ...headers }).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return [
    method,
    path,
    query,
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    signed.map(([name]) => name).join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n');
}

const ask = async (query: { toSign: string; datetime: string; canonicalRequest?: string }, actor = admin) =>
  harness.refused(fileRoutes.signRequest, { query }, actor);

describe('When the store takes no requests of clients', () => {
  it('then there is no signer', async () => {
    const { key, storage } = await create('local.uap');
    expect(storage).toMatchObject({ signerUrl: '', awsKey: '' });
    const datetime = now();
    const answer = await ask({ toSign: canonical({ path: `/portal/${key}` }, datetime), datetime });
    expect(answer).toMatchObject({ status: 404, body: { code: 'E40401' } });
  });
});

describe('When a client signs remotely', () => {
  beforeAll(signByS3);

  it('then the upload info says all that it needs', async () => {
    const { storage } = await create('info.uap');
    expect(storage).toMatchObject({
      region,
      awsKey: 'portal',
      bucketName: bucket,
      signerUrl: 'http://portal.test/v1/signer',
    });
  });

  it('then requests of its upload are signed, by the canonical request or the string made of it', async () => {
    const { key } = await create('signed.uap');
    const path = `/${bucket}/${key}`;
    const datetime = now();
    for (const request of [
      { path },
      { path, method: 'POST', query: 'uploads=' },
      { path, query: 'partNumber=1&uploadId=abc' },
      { path, method: 'GET', query: 'uploadId=abc' },
      { path, method: 'POST', query: 'uploadId=abc' },
      { path, method: 'DELETE', query: 'uploadId=abc' },
    ]) {
      const canonicalRequest = canonical(request, datetime);
      const answer = await ask({ toSign: canonicalRequest, datetime });
      expect(answer).toMatchObject({
        status: 200,
        body: { signature: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
      const scope = `${datetime.slice(0, 8)}/${region}/s3/aws4_request`;
      const toSign = ['AWS4-HMAC-SHA256', datetime, scope, hashOf(canonicalRequest)].join('\n');
      expect((await ask({ toSign, canonicalRequest, datetime })).body).toEqual(answer.body);
      expect(await ask({ toSign, datetime })).toMatchObject({ status: 400, body: { code: 'E40002' } });
      const other = { toSign: toSign.replace(/.$/, 'x'), canonicalRequest, datetime };
      expect(await ask(other)).toMatchObject({ status: 400, body: { code: 'E40002' } });
    }
  });

  it('then nothing else is', async () => {
    const { key } = await create('refused.uap');
    const path = `/${bucket}/${key}`;
    const datetime = now();
    for (const request of [
      { path, method: 'GET' },
      { path, method: 'DELETE' },
      { path, query: 'acl=' },
      { path, headers: { 'x-amz-copy-source': '/tenants/partners/2/files/1/x' } },
      { path, headers: { 'x-amz-acl': 'public-read' } },
      { path: `/other/${key}` },
      { path: `/${bucket}/../${key}` },
      { path: `/${bucket}/`, method: 'GET', query: 'uploadId=abc' },
    ]) {
      const answer = await ask({ toSign: canonical(request, datetime), datetime });
      expect(answer, JSON.stringify(request)).toMatchObject({
        status: 400,
        body: { code: 'E40002', errors: [{ field: 'to_sign' }] },
      });
    }
    const unsigned = canonical({ path }, datetime).replace('host;x-amz-date', 'host');
    expect(await ask({ toSign: unsigned, datetime })).toMatchObject({ status: 400 });
    expect(await ask({ toSign: 'nonsense', datetime })).toMatchObject({ status: 400 });
    expect(await ask({ toSign: '', datetime })).toMatchObject({ status: 400, body: { code: 'E40003' } });
  });

  it('then its time must be now', async () => {
    const { key } = await create('late.uap');
    for (const datetime of [now(-16 * 60_000), now(16 * 60_000), '20261399T000000Z']) {
      const answer = await ask({ toSign: canonical({ path: `/${bucket}/${key}` }, datetime), datetime });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'E40002', errors: [{ field: 'datetime' }] },
      });
    }
    const earlier = now(-60_000);
    const mixed = { toSign: canonical({ path: `/${bucket}/${key}` }, earlier), datetime: now() };
    expect(await ask(mixed)).toMatchObject({ status: 400, body: { errors: [{ field: 'to_sign' }] } });
  });

  it('then the upload must be its own, and not over', async () => {
    const { key, storage, uploadId } = await create('own.uap');
    const datetime = now();
    const sign = async (name: string, actor = admin) =>
      ask({ toSign: canonical({ path: `/${bucket}/${name}` }, datetime), datetime }, actor);
    const unknown = { status: 404, body: { code: 'E40401' } };
    expect(await sign(key, stranger)).toMatchObject(unknown);
    expect(await sign(`${storage.bucketDir}/another`)).toMatchObject(unknown);
    expect(await sign(`elsewhere/${uploadId}`)).toMatchObject(unknown);
    const foreign = await create('foreign.uap', stranger);
    expect(await sign(foreign.key)).toMatchObject(unknown);

    await harness.call(fileRoutes.abortUpload, { params: { uploadId } }, admin);
    expect(await sign(key)).toMatchObject({ status: 400, body: { code: 'E40034' } });
  });
});
