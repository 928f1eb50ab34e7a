import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** The data of a stored object. It has no content type: the signed URL says how the object is served. */
export interface ObjectInfo {
  /** Bytes. */
  readonly size: number;
  /** Opaque, quoted as in HTTP; another content under the same key has another ETag. */
  readonly etag: string;
  readonly lastModified: Date;
}

export interface HashedObject extends ObjectInfo {
  /** Lower-case hexadecimal; where the store has worked it out while the bytes arrived. */
  readonly sha256?: string;
}

/** Bytes `start` to `end`, both inclusive and from 0; without `end`, or with one past the object, to its end. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

export interface ObjectContent extends ObjectInfo {
  /** The bytes that `body` gives; absent when it gives all of them. */
  readonly range?: Required<ByteRange>;
  /**
   * Must be read to its end, sent or destroyed. It gives the object as it was opened, whatever happens to the key.
   */
  readonly body: Readable;
  /** Sends the bytes as the body of `response` and ends it: the quick way out, instead of reading `body`. */
  sendTo(response: ServerResponse): Promise<void>;
}

/** An upload in parts: plain data for the caller to keep until it is completed or aborted. */
export interface MultipartUpload {
  readonly key: string;
  readonly uploadId: string;
  /** Bytes of the whole object, at least 1. */
  readonly size: number;
  /** Bytes of every part but the last, which has the rest. */
  readonly partSize: number;
}

/** Parts count from 1. */
export interface PartReference {
  readonly partNumber: number;
  readonly etag: string;
}

export interface StoredPart extends PartReference {
  readonly size: number;
}

/**
 * What an address was issued for, and in which session. The server of the product's own addresses checks whether that still
 * holds; a store that clients talk to itself knows nothing of it.
 */
export type AddressUse = { readonly sessionId: string } & (
  | ({
      readonly purpose: 'delivery';
      readonly accountId: number;
      readonly fileId: number;
      /** Of the bytes of a version: the device that gets them. */
      readonly receiver?: { readonly platformUuid: string; readonly version: number };
    } & OfTenant)
  /** A file as the portal shows it. */
  | ({ readonly purpose: 'file'; readonly fileId: number } & OfTenant)
  | { readonly purpose: 'upload'; readonly uploadId: string }
  | { readonly purpose: 'export' }
);

/** Whose people it was issued for, where the bytes are not the tenant's own; else their key tells. */
interface OfTenant {
  readonly partnerId?: number;
}

export interface PresignOptions {
  readonly expiresAt: Date;
  readonly use: AddressUse;
}

export interface PresignGetOptions extends PresignOptions {
  /** Saved under this name by a browser; without it shown in place. */
  readonly fileName?: string;
  /** `application/octet-stream` when absent. */
  readonly contentType?: string;
}

export interface PresignPutOptions extends PresignOptions {
  /** Bytes; a longer body is refused where the store can, so check `head` before trusting the object. */
  readonly maxSize: number;
}

/**
 * For clients that send SigV4 requests to the store themselves, but have none of its secrets. A request is one of an
 * upload: the PUT of an object, or beginning, sending, listing, completing or aborting its parts.
 */
export interface RemoteSigning {
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  /** Where clients ask the product for signatures. */
  readonly signerUrl: string;
  /**
   * The signature of a request, and the key that it writes to: to be handed out only to whoever may write there.
   * Gives the name of what is wrong with it instead: a request that is none of an upload, or a time, as in
   * `20260401T120000Z`, that is not now.
   */
  sign(request: UnsignedRequest): { key: string; signature: string } | 'toSign' | 'datetime';
}

export interface UnsignedRequest {
  /** The canonical request; or, with `canonicalRequest`, the string to sign that was made of it. */
  readonly toSign: string;
  readonly canonicalRequest?: string | undefined;
  readonly datetime: string;
}

/**
 * Where objects are kept. Keys are made by the product: segments of letters, digits, `.`, `_` and `-`, separated
 * by `/`, and none lies below another, which not every store could keep apart. Every method throws `StorageError` with the reason for what its caller may have got wrong, and for a store that
 * is away. A body that could not be stored is left as it is: ending it is for whoever opened it.
 */
export interface ObjectStorage {
  /**
   * Stores `body`, replacing what was there. Readers see the old object or the new one, never a part; when the body
   * fails nothing is stored. With `maxSize` a longer body is cut: `too-large`. `size` is that of the body where it is
   * known, and spares some stores a detour; a body of another size is refused: `too-large`, `wrong-size`. `hash` asks a
   * store that has `link` for the SHA-256 that `link` then gives.
   */
  put(
    key: string,
    body: Readable,
    options?: { maxSize?: number; size?: number; hash?: boolean },
  ): Promise<ObjectInfo>;
  /**
   * Makes the object of `source`, as it is at this moment, that of `target` as well, where there is none: what becomes of
   * one key does not change the other. `undefined` when there is no such object. Absent where a store would move the bytes.
   */
  link?(source: string, target: string): Promise<HashedObject | undefined>;
  head(key: string): Promise<ObjectInfo | undefined>;
  /** `not-modified` when the object has the ETag `ifNoneMatch`; a range that starts past the end: `bad-range`. */
  get(
    key: string,
    options?: { range?: ByteRange; ifNoneMatch?: string },
  ): Promise<ObjectContent | 'not-modified' | undefined>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;

  createMultipart(key: string, options: { size: number; partSize: number }): Promise<MultipartUpload>;
  /** Stores one part, replacing an earlier one of its number only when it has arrived whole; else `wrong-size`. */
  putPart(upload: MultipartUpload, partNumber: number, body: Readable): Promise<StoredPart>;
  /** In the order of their numbers. */
  listParts(upload: MultipartUpload): Promise<StoredPart[]>;
  /**
   * Makes the parts one object. `parts` must name every part with its ETag: else `missing-part` or `wrong-etag`, and
   * the upload goes on. A caller that does not know whether an earlier call took effect gets `unknown-upload` and
   * asks `head`.
   */
  completeMultipart(upload: MultipartUpload, parts: readonly PartReference[]): Promise<HashedObject>;
  /** Removes the upload and its parts; aborting what is not there is no error. */
  abortMultipart(upload: MultipartUpload): Promise<void>;
  /** Removes what was begun before `olderThan` and never completed, but for the uploads in parts named by `except`. Gives how many. */
  sweepOrphans(options: { olderThan: Date; except?: ReadonlySet<string> }): Promise<number>;

  /** The maximum validity of a URL in milliseconds; short for URLs that cannot be revoked. */
  readonly urlLifetime: number;
  /** Absolute URLs that allow only this, until `expiresAt` (whole seconds), to anyone who has them. */
  presignGet(key: string, options: PresignGetOptions): Promise<string>;
  presignPut(key: string, options: PresignPutOptions): Promise<string>;
  presignPart(upload: MultipartUpload, partNumber: number, options: PresignOptions): Promise<string>;

  /** Absent where clients cannot talk to the store itself. */
  readonly remoteSigning?: RemoteSigning;
}
