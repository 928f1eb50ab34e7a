/** For answers that are data: never cached, never framed, never taken for a page. */
export const apiHeaders: readonly (readonly [string, string])[] = [
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
];

const aYear = 31_536_000;

/** For every answer of the server, whatever answers; `secure`: it is reached by https alone. */
export function serverHeaders(secure: boolean): readonly (readonly [string, string])[] {
  return [
    ['x-content-type-options', 'nosniff'],
    ...(secure ? ([['strict-transport-security', `max-age=${aYear}`]] as const) : []),
  ];
}

/** The first of a header's values. */
export function headerOf(
  { headers }: { readonly headers: Readonly<Record<string, string | string[] | undefined>> },
  name: string,
): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
