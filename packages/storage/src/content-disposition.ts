/** RFC 6266: an ASCII likeness for old clients, and the name itself. */
export function contentDisposition(fileName: string): string {
  const likeness = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${likeness}"; filename*=UTF-8''${encoded}`;
}
