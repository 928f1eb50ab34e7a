const mebibyte = 1024 * 1024;

/**
 * The SHA-256 of the first and the last MiB of a file, or of all of a file that is shorter than both: enough to know it again.
 * Undefined where the browser calculates none, which is so on an address without TLS.
 */
export async function fingerprintOf(file: Blob): Promise<string | undefined> {
  if (!('subtle' in crypto)) return undefined;
  const ends =
    file.size < 2 * mebibyte ? file : new Blob([file.slice(0, mebibyte), file.slice(file.size - mebibyte)]);
  const digest = await crypto.subtle.digest('SHA-256', await ends.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
