export type StorageErrorReason =
  | 'invalid-key'
  | 'bad-range'
  | 'too-large'
  | 'unknown-upload'
  | 'invalid-part'
  | 'missing-part'
  | 'wrong-etag'
  | 'wrong-size';

/** What a caller of the storage may have got wrong. Everything else that it throws is a failure of the store. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly reason: StorageErrorReason;

  constructor(reason: StorageErrorReason, detail: string) {
    super(`${reason}: ${detail}`);
    this.reason = reason;
  }
}
