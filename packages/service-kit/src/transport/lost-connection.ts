const neverConnectedCodes = ['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT'];
const brokenCodes = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** Whether a request was not even sent. */
export function neverConnected(error: unknown): boolean {
  return hasCode(error, neverConnectedCodes);
}

/**
 * Whether a request failed with its connection, as at an instance that stops: another one may answer it. One that is late may
 * still be at work on it, and a second request would only be more.
 */
export function lostConnection(error: unknown): boolean {
  return neverConnected(error) || hasCode(error, brokenCodes);
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
