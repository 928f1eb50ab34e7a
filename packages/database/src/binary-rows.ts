import pg from 'pg';

export interface BinaryQuery {
  /** A SELECT, with `$1` and so on where the values are. */
  readonly text: string;
  /** Texts, whole numbers, and arrays of texts. */
  readonly values: readonly unknown[];
}

/**
 * Hands over the rows of a SELECT in PostgreSQL's binary form, while they come. Nothing of them is decoded: of other queries the driver
 * makes a string of every field, which costs more than all else where there are very many.
 */
export async function queryBinary(
  client: pg.ClientBase,
  query: BinaryQuery,
  onRow: (row: BinaryRow) => void,
): Promise<void> {
  const text = textOf(query);
  return new Promise((resolve, reject) => {
    client.query(new CopyOut(text, onRow, (error) => (error ? reject(error) : resolve())));
  });
}

/** COPY takes no parameters: the values are literals. */
function textOf({ text, values }: BinaryQuery): string {
  const statement = text.replaceAll(/\$(\d+)/g, (_, place) => literal(values[Number(place) - 1]));
  return `COPY (${statement}) TO STDOUT (FORMAT binary)`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join()}]`;
  throw new Error(`No value of a COPY: ${typeof value}`);
}

/** What the binary form of COPY begins with: a signature, flags, and the length of an extension, which there is not. */
const headerBytes = 19;
/** In place of a row, at the end. */
const trailer = -1;

/** Of the driver's own class: connections that send without waiting take no other. */
class CopyOut extends pg.Query {
  readonly #onRow: (row: BinaryRow) => void;
  readonly #row = new BinaryRow();
  #isFirst = true;
  #failure: Error | undefined;

  constructor(text: string, onRow: (row: BinaryRow) => void, done: (error: Error | undefined) => void) {
    super(text, (error) => done(error ?? this.#failure));
    this.#onRow = onRow;
  }

  /** The driver calls it for each message of the server, which is a row; the header comes with the first. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const at = this.#isFirst ? headerBytes : 0;
    this.#isFirst = false;
    if (this.#failure || chunk.readInt16BE(at) === trailer) return;
    try {
      this.#onRow(this.#row.of(chunk, at));
    } catch (error) {
      // Thrown here it would end the process.
      this.#failure = error instanceof Error ? error : new Error('Nobody could read a row', { cause: error });
    }
  }
}

/** Microseconds from the first moment of Unix to that of PostgreSQL. */
const epoch = 946_684_800_000_000;
const highWord = 2 ** 32;
const lengthBytes = 4;

/** The fields of a row, to be read one after the other, each once. */
export class BinaryRow {
  #message: Buffer = Buffer.alloc(0);
  #at = 0;

  /** A row that begins there with the number of its fields. */
  of(message: Buffer, at: number): this {
    this.#message = message;
    this.#at = at + 2;
    return this;
  }

  /** A text in UTF-8; undefined where it is NULL. The driver writes over the bytes once another row comes. */
  bytes(): Buffer | undefined {
    const length = this.#int32();
    if (length < 0) return undefined;
    this.#at += length;
    return this.#message.subarray(this.#at - length, this.#at);
  }

  integer(): number {
    this.#at += lengthBytes;
    return this.#int32();
  }

  /** Of a timestamptz, in milliseconds as `Date` counts them. */
  time(): number {
    this.#at += lengthBytes;
    const high = this.#int32();
    const low = this.#int32() >>> 0;
    return Math.floor((high * highWord + low + epoch) / 1_000);
  }

  #int32(): number {
    this.#at += 4;
    return this.#message.readInt32BE(this.#at - 4);
  }
}
