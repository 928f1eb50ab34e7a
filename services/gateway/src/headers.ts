import { createHash } from 'node:crypto';

/** What runs before the first paint stands in the page itself; the policy names it by its hash, and allows no other. */
const sourcesOf = (inlineScripts: readonly string[]) =>
  inlineScripts.map((text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`).join('');

const pagePolicy = (origins: string, inlineScripts: readonly string[]) =>
  [
    "default-src 'self'",
    `script-src 'self'${sourcesOf(inlineScripts)}`,
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
export function pageHeaders(
  storageUrl?: string,
  inlineScripts: readonly string[] = [],
): readonly (readonly [string, string])[] {
  const origins = storageUrl === undefined ? '' : ` ${new URL(storageUrl).origin}`;
  return [
    ['content-security-policy', pagePolicy(origins, inlineScripts)],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=()'],
  ];
}
