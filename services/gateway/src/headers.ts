const pagePolicy = (origins: string) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    // The component library writes its styles at run time.
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${origins}`,
    "font-src 'self' data:",
    `connect-src 'self'${origins}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** For pages of the web client and the documents. `storageUrl` is where clients reach the store, if not here. */
export function pageHeaders(storageUrl?: string): readonly (readonly [string, string])[] {
  const origins = storageUrl === undefined ? '' : ` ${new URL(storageUrl).origin}`;
  return [
    ['content-security-policy', pagePolicy(origins)],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=()'],
  ];
}
