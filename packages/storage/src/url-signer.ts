import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@portal/kernel';
import { isObjectKey } from './object-key.ts';
import type { AddressUse, MultipartUpload } from './object-storage.ts';

/** What a signed URL allows, and what it was given for. */
export type StorageGrant = { readonly use: AddressUse } & (
  | {
      readonly action: 'get';
      readonly key: string;
      readonly fileName?: string;
      readonly contentType?: string;
    }
  | { readonly action: 'put'; readonly key: string; readonly maxSize: number }
  | { readonly action: 'part'; readonly upload: MultipartUpload; readonly partNumber: number }
);

export interface UrlSigner {
  /** An absolute URL below `<publicUrl>/storage/`. */
  sign(grant: StorageGrant, expiresAt: Date): string;
  /**
   * What `url` (absolute, or path and query) allows `method` to do now; undefined when it was not signed so, was
   * changed or has expired.
   */
  verify(method: string, url: string): StorageGrant | undefined;
}

const mountPath = '/storage/';
const leastSecretBytes = 32;
/** More than any that is signed has; what is longer is refused unread. In characters. */
const longestUrl = 4096;

/**
 * HMAC-SHA256 over the method, the key and every parameter. All processes that sign or serve need the same `secret`
 * of at least 32 bytes. `publicUrl` is the origin that clients reach, possibly with a path.
 */
export function createUrlSigner(options: { publicUrl: string; secret: Uint8Array; clock: Clock }): UrlSigner {
  if (options.secret.byteLength < leastSecretBytes) {
    throw new RangeError(`The secret of signed URLs needs at least ${leastSecretBytes} bytes.`);
  }
  const origin = options.publicUrl.replace(/\/$/, '');

  function signatureOf(method: string, key: string, params: URLSearchParams): string {
    const signed = [...params]
      .filter(([name]) => name !== 'signature')
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return createHmac('sha256', options.secret)
      .update(JSON.stringify([method, key, signed]))
      .digest('base64url');
  }

  return {
    sign(grant, expiresAt) {
      const key = grant.action === 'part' ? grant.upload.key : grant.key;
      const params = new URLSearchParams(toParams(grant));
      params.set('expires', String(Math.floor(expiresAt.getTime() / 1000)));
      params.set('signature', signatureOf(methodOf(grant), key, params));
      return `${origin}${mountPath}${key}?${params}`;
    },

    verify(method, url) {
      if (url.length > longestUrl) return undefined;
      const [path = '', query = ''] = splitOnce(url, '?');
      const mountedAt = path.indexOf(mountPath);
      // Nothing in a key needs escaping, so nothing is decoded: what is no key as it stands was never signed.
      const key = path.slice(mountedAt + mountPath.length);
      if (mountedAt < 0 || !isObjectKey(key)) return undefined;
      const params = new URLSearchParams(query);
      // A URL for GET also allows HEAD.
      const expected = Buffer.from(signatureOf(method === 'HEAD' ? 'GET' : method, key, params));
      // As text: more than one text decodes to the same bytes.
      const given = Buffer.from(params.get('signature') ?? '');
      if (params.getAll('signature').length !== 1 || given.length !== expected.length) return undefined;
      if (!timingSafeEqual(given, expected)) return undefined;
      if (Number(params.get('expires')) * 1000 <= options.clock.now().getTime()) return undefined;
      return fromParams(method, key, params);
    },
  };
}

function methodOf(grant: StorageGrant): 'GET' | 'PUT' {
  return grant.action === 'get' ? 'GET' : 'PUT';
}

function toParams(grant: StorageGrant): Record<string, string> {
  const use = useParams(grant.use);
  switch (grant.action) {
    case 'get':
      return {
        ...use,
        ...(grant.fileName === undefined ? {} : { file_name: grant.fileName }),
        ...(grant.contentType === undefined ? {} : { content_type: grant.contentType }),
      };
    case 'put':
      return { ...use, max_size: String(grant.maxSize) };
    case 'part':
      return {
        ...use,
        upload_id: grant.upload.uploadId,
        part_number: String(grant.partNumber),
        part_size: String(grant.upload.partSize),
        size: String(grant.upload.size),
      };
  }
}

function useParams(use: AddressUse): Record<string, string> {
  const { purpose, sessionId } = use;
  const shared = { for: purpose, session: sessionId };
  switch (use.purpose) {
    case 'delivery':
      return {
        ...shared,
        ...tenantParam(use),
        account: String(use.accountId),
        file: String(use.fileId),
        ...(use.receiver && { device: use.receiver.platformUuid, version: String(use.receiver.version) }),
      };
    case 'file':
      return { ...shared, ...tenantParam(use), file: String(use.fileId) };
    case 'upload':
      return { ...shared, upload: use.uploadId };
    case 'export':
      return shared;
  }
}

const tenantParam = ({ partnerId }: { readonly partnerId?: number }): Record<string, string> =>
  partnerId === undefined ? {} : { tenant: String(partnerId) };

/** Undefined for what was signed by a version of the product that did not say what for. */
function useOf(params: URLSearchParams): AddressUse | undefined {
  const sessionId = params.get('session') ?? '';
  const fileId = Number(params.get('file'));
  const tenant = params.get('tenant');
  const ofTenant = tenant === null ? {} : { partnerId: Number(tenant) };
  const platformUuid = params.get('device');
  switch (params.get('for')) {
    case 'delivery':
      return {
        purpose: 'delivery',
        sessionId,
        accountId: Number(params.get('account')),
        fileId,
        ...(platformUuid === null
          ? {}
          : { receiver: { platformUuid, version: Number(params.get('version')) } }),
        ...ofTenant,
      };
    case 'file':
      return { purpose: 'file', sessionId, fileId, ...ofTenant };
    case 'upload':
      return { purpose: 'upload', sessionId, uploadId: params.get('upload') ?? '' };
    case 'export':
      return { purpose: 'export', sessionId };
    default:
      return undefined;
  }
}

/** The inverse of `toParams`, for parameters whose signature was found good. */
function fromParams(method: string, key: string, params: URLSearchParams): StorageGrant | undefined {
  const use = useOf(params);
  if (!use) return undefined;
  if (method !== 'PUT') {
    const fileName = params.get('file_name');
    const contentType = params.get('content_type');
    return {
      action: 'get',
      use,
      key,
      ...(fileName === null ? {} : { fileName }),
      ...(contentType === null ? {} : { contentType }),
    };
  }
  const uploadId = params.get('upload_id');
  if (uploadId === null) return { action: 'put', use, key, maxSize: Number(params.get('max_size')) };
  const upload = {
    key,
    uploadId,
    size: Number(params.get('size')),
    partSize: Number(params.get('part_size')),
  };
  return { action: 'part', use, upload, partNumber: Number(params.get('part_number')) };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
