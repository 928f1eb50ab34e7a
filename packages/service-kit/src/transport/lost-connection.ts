const neverConnectedCodes = ['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT'];
const lateCodes = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** Whether a request was not even sent. */
export function neverConnected(error: unknown): boolean {
  return hasCode(error, neverConnectedCodes);
}

/**
 * Whether a request failed with its connection, in whichever way, as at an instance that stops: another one may answer it. One that is
 * late may still be at work on it, and a second request would only be more.
 */
export function lostConnection(error: unknown): boolean {
  return !hasCode(error, lateCodes);
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
