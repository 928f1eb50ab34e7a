import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@portal/kernel';
import type { MultipartUpload } from './object-storage.ts';

/** What a signed URL allows. */
export type StorageGrant =
  | {
      readonly action: 'get';
      readonly key: string;
      readonly fileName?: string;
      readonly contentType?: string;
    }
  | { readonly action: 'put'; readonly key: string; readonly maxSize: number }
  | { readonly action: 'part'; readonly upload: MultipartUpload; readonly partNumber: number };

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

/**
 * HMAC-SHA256 over the method, the key and every parameter. All processes that sign or serve need the same `secret`
 * of at least 32 bytes. `publicUrl` is the origin that clients reach, possibly with a path.
 */
export function createUrlSigner(options: { publicUrl: string; secret: Uint8Array; clock: Clock }): UrlSigner {
  if (options.secret.byteLength < leastSecretBytes) {
    throw new RangeError(`The secret of signed URLs needs at least ${leastSecretBytes} bytes.`);
  }
  const origin = options.publicUrl.replace(/\/+$/, '');

  function signatureOf(method: string, key: string, params: URLSearchParams): Buffer {
    const signed = [...params]
      .filter(([name]) => name !== 'signature')
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return createHmac('sha256', options.secret)
      .update(JSON.stringify([method, key, signed]))
      .digest();
  }

  return {
    sign(grant, expiresAt) {
      const key = grant.action === 'part' ? grant.upload.key : grant.key;
      const params = new URLSearchParams(toParams(grant));
      params.set('expires', String(Math.floor(expiresAt.getTime() / 1000)));
      params.set('signature', signatureOf(methodOf(grant), key, params).toString('base64url'));
      return `${origin}${mountPath}${key.split('/').map(encodeURIComponent).join('/')}?${params}`;
    },

    verify(method, url) {
      const [path = '', query = ''] = splitOnce(url, '?');
      const mountedAt = path.indexOf(mountPath);
      const key = mountedAt < 0 ? undefined : decoded(path.slice(mountedAt + mountPath.length));
      if (key === undefined) return undefined;
      const params = new URLSearchParams(query);
      // Whoever may get an object may ask for its headers.
      const expected = signatureOf(method === 'HEAD' ? 'GET' : method, key, params);
      const given = Buffer.from(params.get('signature') ?? '', 'base64url');
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
  switch (grant.action) {
    case 'get':
      return {
        ...(grant.fileName === undefined ? {} : { file_name: grant.fileName }),
        ...(grant.contentType === undefined ? {} : { content_type: grant.contentType }),
      };
    case 'put':
      return { max_size: String(grant.maxSize) };
    case 'part':
      return {
        upload_id: grant.upload.uploadId,
        part_number: String(grant.partNumber),
        part_size: String(grant.upload.partSize),
        size: String(grant.upload.size),
      };
  }
}

/** The inverse of `toParams`, for parameters whose signature was found good. */
function fromParams(method: string, key: string, params: URLSearchParams): StorageGrant {
  if (method !== 'PUT') {
    const fileName = params.get('file_name');
    const contentType = params.get('content_type');
    return {
      action: 'get',
      key,
      ...(fileName === null ? {} : { fileName }),
      ...(contentType === null ? {} : { contentType }),
    };
  }
  const uploadId = params.get('upload_id');
  if (uploadId === null) return { action: 'put', key, maxSize: Number(params.get('max_size')) };
  const upload = {
    key,
    uploadId,
    size: Number(params.get('size')),
    partSize: Number(params.get('part_size')),
  };
  return { action: 'part', upload, partNumber: Number(params.get('part_number')) };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
