import { newTraceparent } from '@portal/api-client';

/** How the bytes of one part travel. Progress of a sent body is told by `XMLHttpRequest` alone, so this is no `fetch`. */
export type SendBytes = (
  address: string,
  body: Blob,
  options: { signal: AbortSignal; onProgress: (sent: number) => void },
) => Promise<number>;

/** No answer came: the way to the storage is interrupted. */
export class ConnectionLost extends Error {}

/**
 * PUTs the bytes, in the trace `traceId`, and resolves with the HTTP status. Rejects with `ConnectionLost`, or the signal's
 * reason.
 */
export const sendBytesIn =
  (traceId: string): SendBytes =>
  (address, body, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const request = new XMLHttpRequest();
      const abort = () => request.abort();
      signal.addEventListener('abort', abort);
      request.upload.onprogress = ({ loaded }) => onProgress(loaded);
      request.onload = () => resolve(request.status);
      request.onerror = () => reject(new ConnectionLost('The connection was lost'));
      request.onabort = () => reject(signal.reason as Error);
      request.onloadend = () => signal.removeEventListener('abort', abort);
      request.open('PUT', address);
      // A store of its own origin takes no headers that it does not know.
      if (new URL(address, location.href).origin === location.origin) {
        request.setRequestHeader('traceparent', newTraceparent(traceId));
      }
      request.send(body);
    });
