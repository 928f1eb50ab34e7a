import { Agent, request } from 'node:http';
import { connect } from 'node:net';

/** An answer as it came, or why none did. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Far beyond every limit of the product: there will be no answer. */
export const silentAfterMs = 10_000;

/** One request by HTTP, with a path and headers that a browser would not send. */
export function exchange(options: {
  port: number;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | undefined;
}): Promise<Answer> {
  const { body, headers, method, path, port } = options;
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
        signal: AbortSignal.timeout(silentAfterMs),
      },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            text: Buffer.concat(chunks).toString(),
            ms: performance.now() - begun,
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Bytes that may be no HTTP at all; what comes back until the connection ends. */
export function exchangeBytes(port: number, bytes: Buffer): Promise<Answer> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(silentAfterMs, () => socket.destroy(new Error('No answer')));
    socket.on('data', (chunk) => chunks.push(chunk));
    // A refusal may come before the last byte was sent.
    socket.on('error', (error) => chunks.length === 0 && reject(error));
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = lines.map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.toLowerCase(), value.join(':').trim()] as const;
      });
      resolve({
        status: Number(first.split(' ')[1]),
        headers: Object.fromEntries(headers),
        text: rest.join('\r\n\r\n'),
        ms: performance.now() - begun,
      });
    });
  });
}
