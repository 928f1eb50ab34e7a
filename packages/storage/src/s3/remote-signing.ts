import { createHash, createHmac } from 'node:crypto';
import { fileRoutes } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { isObjectKey } from '../object-key.ts';
import type { RemoteSigning } from '../object-storage.ts';
import type { S3Account } from './s3-connection.ts';

/** The store takes a request for as long around its time. */
const validMs = 15 * 60_000;

/** What a client may ask of the key that it uploads to, by method and the names in the query. */
const allowedRequests = new Set([
  'PUT',
  'POST uploads',
  'PUT partNumber uploadId',
  'GET uploadId',
  'GET max-parts uploadId',
  'GET max-parts part-number-marker uploadId',
  'POST uploadId',
  'DELETE uploadId',
]);

/** Others could copy the object of someone else, or make one public. */
const allowedHeaders = new Set([
  'content-length',
  'content-md5',
  'content-type',
  'host',
  'x-amz-content-sha256',
  'x-amz-date',
]);

const payloadHash = /^([0-9a-f]{64}|UNSIGNED-PAYLOAD)$/;

/** Signs requests by SigV4 for clients that have no secret; `portalUrl` is where they reach the product. */
export function createRemoteSigning(
  account: S3Account,
  { portalUrl, storeClock }: { portalUrl: string; storeClock: Clock },
): RemoteSigning {
  const { accessKeyId, bucket, region, secretAccessKey } = account;
  return {
    region,
    bucket,
    accessKeyId,
    signerUrl: `${portalUrl.replace(/\/$/, '')}${fileRoutes.signRequest.path}`,

    sign({ toSign, canonicalRequest = toSign, datetime }) {
      const time = timeOf(datetime);
      if (!(Math.abs(time - storeClock.now().getTime()) <= validMs)) return 'datetime';
      const key = uploadKeyOf(canonicalRequest, { bucket, datetime });
      if (key === undefined) return 'toSign';
      const scope = [datetime.slice(0, 8), region, 's3', 'aws4_request'];
      const hash = createHash('sha256').update(canonicalRequest).digest('hex');
      const stringToSign = ['AWS4-HMAC-SHA256', datetime, scope.join('/'), hash].join('\n');
      if (toSign !== canonicalRequest && toSign !== stringToSign) return 'toSign';
      const signature = [...scope, stringToSign].reduce<string | Buffer>(
        (secret, text) => createHmac('sha256', secret).update(text).digest(),
        `AWS4${secretAccessKey}`,
      );
      return { key, signature: signature.toString('hex') };
    },
  };
}

/** In milliseconds; NaN for what is no time. */
function timeOf(datetime: string): number {
  return Date.parse(datetime.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** The key that a canonical request writes to; undefined when it is not one of an upload into `bucket` at `datetime`. */
function uploadKeyOf(
  canonicalRequest: string,
  { bucket, datetime }: { bucket: string; datetime: string },
): string | undefined {
  const [method = '', path = '', query = '', ...lines] = canonicalRequest.split('\n');
  const [blank, signedHeaders, payload = ''] = lines.splice(-3);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)];
    }),
  );
  const isUpload =
    allowedRequests.has([method, ...namesOf(query)].join(' ')) &&
    blank === '' &&
    signedHeaders === [...headers.keys()].join(';') &&
    [...headers.keys()].every((name) => allowedHeaders.has(name)) &&
    headers.has('host') &&
    headers.get('x-amz-date') === datetime &&
    payloadHash.test(payload);
  const prefix = `/${bucket}/`;
  const key = path.startsWith(prefix) ? path.slice(prefix.length) : '';
  return isUpload && isObjectKey(key) ? key : undefined;
}

/** In the order of a canonical query, which is that of the alphabet. */
function namesOf(query: string): string[] {
  return query === '' ? [] : query.split('&').map((parameter) => parameter.split('=')[0] ?? '');
}
