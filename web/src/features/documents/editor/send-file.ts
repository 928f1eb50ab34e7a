/** Told of how many bytes of a body have left the browser. */
type OnSent = (sent: number) => void;

/**
 * A `fetch` that tells how much of its body was sent, which only `XMLHttpRequest` knows. `encoding` says that the body is
 * compressed.
 */
export const sendingFetch =
  (onSent: OnSent, encoding: 'gzip' | undefined): typeof fetch =>
  (address, { body, headers, method = 'POST', signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      const abort = () => request.abort();
      signal?.addEventListener('abort', abort);
      request.upload.onprogress = ({ loaded }) => onSent(loaded);
      request.onload = () => {
        const { responseText, status } = request;
        resolve(new Response(responseText, { status, headers: headersOf(request) }));
      };
      // As `fetch` fails where no answer comes.
      request.onerror = () => reject(new TypeError('The connection was lost'));
      request.onabort = () => reject(signal?.reason as Error);
      request.onloadend = () => signal?.removeEventListener('abort', abort);
      request.open(method, address instanceof Request ? address.url : address);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      if (encoding) request.setRequestHeader('content-encoding', encoding);
      request.send(body as XMLHttpRequestBodyInit);
    });

function headersOf(request: XMLHttpRequest): [string, string][] {
  return request
    .getAllResponseHeaders()
    .split('\r\n')
    .flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
    });
}
