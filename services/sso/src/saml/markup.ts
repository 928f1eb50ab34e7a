import { Refusal } from './domain/refusal.ts';

/** What a message may be at most, before anything parses it. */
export const messageLimits = { bytes: 1024 * 1024, depth: 40, elements: 50_000 } as const;

/** The text of a message in base64. Throws `Refusal` for what is none, or may not be parsed at all. */
export function readMessage(base64: string): string {
  // Four characters of base64 are three bytes; some providers break it into lines.
  if (base64.length > messageLimits.bytes * 1.5) throw new Refusal('tooLarge');
  const packed = base64.replace(/\s/g, '');
  if (packed === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) throw new Refusal('malformed', 'not base64');
  return readText(Buffer.from(packed, 'base64'));
}

export function readText(bytes: Uint8Array): string {
  if (bytes.length > messageLimits.bytes) throw new Refusal('tooLarge');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('malformed', 'not UTF-8');
  }
  requireParsable(text);
  return text;
}

const declaration = /^<\?xml\s(?:[^?>"']|"[^"]*"|'[^']*')*\?>/;
const otherEncoding = /encoding\s*=\s*["'](?!utf-8["'])/i;
/** A tag, up to its end or to the next one. */
const tag = /<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>?/g;

/**
 * Refuses what no provider sends and attacks are made of: anything that begins with `<!` or `<?`, and deep nesting, over which
 * parsers that call themselves fall.
 */
export function requireParsable(text: string): void {
  const head = declaration.exec(text)?.[0] ?? '';
  if (otherEncoding.test(head)) throw new Refusal('malformed', 'not UTF-8');
  if (text.includes('<!') || text.includes('<?', head.length)) throw new Refusal('forbiddenMarkup');
  let depth = 0;
  let elements = 0;
  for (const [one] of text.slice(head.length).matchAll(tag)) {
    if (!one.endsWith('>')) throw new Refusal('malformed', 'a tag without an end');
    if (one.startsWith('</')) depth -= 1;
    else {
      elements += 1;
      if (!one.endsWith('/>')) depth += 1;
    }
    if (depth > messageLimits.depth || elements > messageLimits.elements) throw new Refusal('tooDeep');
  }
}
