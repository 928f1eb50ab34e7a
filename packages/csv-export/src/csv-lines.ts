import { Transform } from 'node:stream';

const bom = Buffer.from('\uFEFF');
const newline = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;
/** Buffers are filled: V8 looks through its heap the sooner the more of them there are, whether or not they hold anything. */
const outBytes = 64 * 1024;

/** Passes the CSV of COPY on with lines that end as in RFC 4180, and counts them; `onLines` gets their number so far. */
export function csvLines(options: { withBom: boolean; onLines: (count: number) => void }): Transform {
  let isQuoted = false;
  let count = 0;
  let out = Buffer.allocUnsafeSlow(outBytes);
  let length = 0;
  return new Transform({
    construct(done) {
      if (options.withBom) this.push(bom);
      done();
    },
    transform(chunk: Buffer, _encoding, done) {
      for (let index = 0; index < chunk.length; index += 1) {
        if (length + 2 > outBytes) {
          this.push(out.subarray(0, length));
          out = Buffer.allocUnsafeSlow(outBytes);
          length = 0;
        }
        // Within its length a buffer has no holes.
        const byte = chunk[index] as number;
        if (byte === quote) isQuoted = !isQuoted;
        else if (byte === newline && !isQuoted) {
          out[length] = carriageReturn;
          length += 1;
          count += 1;
        }
        out[length] = byte;
        length += 1;
      }
      options.onLines(count);
      done();
    },
    flush(done) {
      done(null, out.subarray(0, length));
    },
  });
}
