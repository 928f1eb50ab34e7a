import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { ByteRange } from '../object-storage.ts';

/** Of each of the two buffers; the quickest size when measured. */
const bufferBytes = 512 * 1024;

/**
 * Sends bytes of a file as the body of `response` and ends it. One buffer is read while the other is on its way, and
 * both are used again: a stream would make new ones for every read, at half the speed. That is why it takes a response
 * and no other stream: its write callback means that the bytes have left.
 */
export async function sendFile(
  handle: FileHandle,
  { start, end }: Required<ByteRange>,
  response: ServerResponse,
): Promise<void> {
  const size = Math.min(bufferBytes, end - start + 1);
  const buffers: [Buffer, Buffer] = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)];
  const closed = Promise.withResolvers<never>();
  const onClose = () => closed.reject(new Error('The response was closed before its end.'));
  closed.promise.catch(() => {});
  if (response.destroyed) onClose();
  response.once('close', onClose);
  try {
    let sent = Promise.resolve();
    for (let position = start; position <= end; ) {
      const [buffer, other] = buffers;
      const { bytesRead } = await handle.read(buffer, 0, Math.min(size, end + 1 - position), position);
      if (bytesRead === 0) throw new Error('The file of an object became shorter.');
      position += bytesRead;
      await Promise.race([sent, closed.promise]);
      sent = write(response, buffer.subarray(0, bytesRead));
      buffers[0] = other;
      buffers[1] = buffer;
    }
    await Promise.race([sent, closed.promise]);
    response.end();
  } finally {
    response.off('close', onClose);
  }
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  response.write(bytes, (error) => (error ? reject(error) : resolve()));
  promise.catch(() => {}); // It is awaited one read later.
  return promise;
}
