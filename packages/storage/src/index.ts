export { createStorageHandler, type StorageHandler, type Transfer, type WriteGrant } from './http-handler.ts';
export { createLocalDiskStorage } from './local-disk/local-disk-storage.ts';
export { operator, tenantKey, tenantOf } from './object-key.ts';
export type {
  AddressUse,
  ByteRange,
  MultipartUpload,
  ObjectContent,
  ObjectInfo,
  ObjectStorage,
  PartReference,
  PresignGetOptions,
  PresignPutOptions,
  RemoteSigning,
  StoredPart,
  UnsignedRequest,
} from './object-storage.ts';
export { payerOf } from './open-transfers.ts';
export { StorageError, type StorageErrorReason } from './storage-error.ts';
export { createUrlSigner, type StorageGrant, type UrlSigner } from './url-signer.ts';
