/** What a read of a lane of the outbox saw, with 64-bit numbers as text. */
interface LaneRead {
  /** The highest id that it gave. */
  readonly lastId: string;
  /** The oldest transaction that was running. */
  readonly oldest: string;
  /** The transaction of the read itself: each one that began to write before has a lower number. */
  readonly own: string;
}

/**
 * Up to which id a lane needs no look any more: what was there has been read, and no transaction can still commit one. Ids are given
 * before commits, so a lower one may appear after a higher one, but only from a transaction that had its number when the higher one
 * was seen (`messaging.number_transaction`).
 */
export class CoveredIds {
  #upTo = 0n;
  #seen: { readonly id: bigint; readonly by: bigint } | undefined;

  get upTo(): string {
    return String(this.#upTo);
  }

  add({ lastId, oldest, own }: LaneRead): void {
    const id = BigInt(lastId);
    if (this.#seen && BigInt(oldest) >= this.#seen.by) {
      // All that had begun to write are over, so this read saw what they left, as far as it went.
      this.#upTo = this.#seen.id < id ? this.#seen.id : id;
      this.#seen = undefined;
    }
    this.#seen ??= { id, by: BigInt(own) };
  }

  /** What was read is to be read again. */
  reset(): void {
    this.#upTo = 0n;
    this.#seen = undefined;
  }
}
