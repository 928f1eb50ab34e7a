import { formatDateTime } from '@portal/contracts';

/** Documents in one text. Larger ones are more for V8 to find room for and to forget, smaller ones are more to send. */
const textBytes = 64 * 1024;
/** The longest `_id`, what stands around it, and `between`. */
const mostAround = 256;
const nothing = Buffer.alloc(0);

interface Row {
  readonly id: string;
  /** The bytes of an object. They are copied. */
  readonly source: Buffer;
  readonly version: number;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Writes documents as `lineOf` does, from bytes to bytes: a million strings would be more for V8 to forget than an export may cost. */
export class WrittenLines {
  readonly #between: string;
  readonly #full: Buffer[] = [];
  #text = nothing;
  #length = 0;
  /** Documents of an import have the same one. */
  #second = Number.NaN;
  #moment = '';

  constructor(between: string) {
    this.#between = between;
  }

  add({ createdAt, id, source, updatedAt, version }: Row): void {
    const added = `"_created_at":"${this.#momentOf(createdAt)}","_updated_at":"${this.#momentOf(updatedAt)}","_version":${version}}`;
    const most = source.length + added.length + mostAround;
    if (this.#length + most > this.#text.length) {
      this.#finish();
      this.#text = Buffer.allocUnsafeSlow(Math.max(textBytes, most));
    }
    this.#write(`${this.#length > 0 ? this.#between : ''}{"_id":"${id}",`);
    const isEmpty = source.length === '{}'.length;
    this.#length += source.copy(this.#text, this.#length, 1, source.length - 1);
    this.#write(isEmpty ? added : `,${added}`);
  }

  /** All texts, each of at least one document. */
  texts(): readonly Buffer[] {
    this.#finish();
    return this.#full;
  }

  #finish(): void {
    if (this.#length > 0) this.#full.push(this.#text.subarray(0, this.#length));
    this.#text = nothing;
    this.#length = 0;
  }

  #write(ascii: string): void {
    this.#length += this.#text.write(ascii, this.#length, 'latin1');
  }

  #momentOf(time: number): string {
    const second = Math.floor(time / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#moment = formatDateTime(new Date(time));
    }
    return this.#moment;
  }
}
