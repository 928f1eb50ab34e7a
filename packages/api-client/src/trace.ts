const hex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** Of a new trace: what a client does in several calls, such as an upload, may share one. */
export function newTraceId(): string {
  return hex(16);
}

/** The W3C trace context of one call. */
export function newTraceparent(traceId: string): string {
  return `00-${traceId}-${hex(8)}-01`;
}
