export type StorageErrorReason =
  | 'invalid-key'
  | 'bad-range'
  | 'too-large'
  | 'unknown-upload'
  | 'invalid-part'
  | 'missing-part'
  | 'wrong-etag'
  | 'wrong-size'
  | 'unavailable';

/**
 * What a caller of the storage may have got wrong, or a store that cannot be reached or does not answer: `unavailable`.
 * Everything else that it throws is a defect.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly reason: StorageErrorReason;

  constructor(reason: StorageErrorReason, detail: string, options?: { cause: unknown }) {
    super(`${reason}: ${detail}`, options);
    this.reason = reason;
  }
}
