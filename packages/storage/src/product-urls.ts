import { limits } from '@portal/contracts';
import { assertObjectKey } from './object-key.ts';
import type { ObjectStorage } from './object-storage.ts';
import type { UrlSigner } from './url-signer.ts';

export type SignedUrls = Pick<ObjectStorage, 'urlLifetime' | 'presignGet' | 'presignPut' | 'presignPart'>;

/** URLs of the product's own `/storage/`, for a store that clients do not reach themselves. */
export function productUrls(signer: UrlSigner): SignedUrls {
  return {
    urlLifetime: limits.signedUrlLifetime,
    async presignGet(key, { expiresAt, ...answer }) {
      assertObjectKey(key);
      return signer.sign({ action: 'get', key, ...answer }, expiresAt);
    },
    async presignPut(key, { expiresAt, maxSize, use }) {
      assertObjectKey(key);
      return signer.sign({ action: 'put', key, maxSize, use }, expiresAt);
    },
    async presignPart(upload, partNumber, { expiresAt, use }) {
      return signer.sign({ action: 'part', upload, partNumber, use }, expiresAt);
    },
  };
}
