export interface ImportFile {
  readonly type: 'application/x-ndjson' | 'application/json';
  readonly encoding: 'gzip' | undefined;
}

/** So much of a file tells what it is. */
const head = 64 * 1024;

/** What a chosen file is, by its first bytes: whatever it is called. */
export async function importFileOf(file: File): Promise<ImportFile> {
  const start = file.slice(0, head);
  const [first, second] = new Uint8Array(await start.slice(0, 2).arrayBuffer());
  const isPacked = first === 0x1f && second === 0x8b;
  const text = isPacked ? await unpackedStart(start) : await start.text();
  // One array; whatever else it is, it is read line by line.
  const isArray = text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('[');
  return {
    type: isArray ? 'application/json' : 'application/x-ndjson',
    encoding: isPacked ? 'gzip' : undefined,
  };
}

/** Only the beginning: what follows is cut off, so the end of the stream is missing. */
async function unpackedStart(start: Blob): Promise<string> {
  const reader = start.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    const { value } = await reader.read();
    return new TextDecoder().decode(value);
  } catch {
    return '';
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
