import { assertObjectKey } from './object-key.ts';
import type { ObjectStorage } from './object-storage.ts';
import type { UrlSigner } from './url-signer.ts';

export type SignedUrls = Pick<ObjectStorage, 'presignGet' | 'presignPut' | 'presignPart'>;

/** URLs of the product's own `/storage/`, for a store that clients do not reach themselves. */
export function productUrls(signer: UrlSigner): SignedUrls {
  return {
    async presignGet(key, { expiresAt, ...answer }) {
      assertObjectKey(key);
      return signer.sign({ action: 'get', key, ...answer }, expiresAt);
    },
    async presignPut(key, { expiresAt, maxSize }) {
      assertObjectKey(key);
      return signer.sign({ action: 'put', key, maxSize }, expiresAt);
    },
    async presignPart(upload, partNumber, { expiresAt }) {
      return signer.sign({ action: 'part', upload, partNumber }, expiresAt);
    },
  };
}
