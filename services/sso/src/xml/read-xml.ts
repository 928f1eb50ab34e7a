import { DOMParser } from '@xmldom/xmldom';

/** What XML of others may be, before anything parses it. */
export interface XmlLimits {
  readonly bytes: number;
  readonly depth: number;
  readonly elements: number;
  /** Comments, CDATA and processing instructions. */
  readonly allowsOtherMarkup: boolean;
}

/** Why a text is not read as XML. */
export type XmlFault = 'tooLarge' | 'notUtf8' | 'forbiddenMarkup' | 'tooDeep' | 'notXml';

export class UnreadableXml extends Error {
  readonly fault: XmlFault;

  constructor(fault: XmlFault, detail = '', options?: ErrorOptions) {
    super(detail, options);
    this.fault = fault;
  }
}

/**
 * The text of bytes of XML that may be parsed. They are UTF-8 alone: in another encoding the checks here would look at other
 * characters than a parser. Throws `UnreadableXml`.
 */
export function xmlText(bytes: Uint8Array, limits: XmlLimits): string {
  if (bytes.length > limits.bytes) throw new UnreadableXml('tooLarge');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UnreadableXml('notUtf8', 'not UTF-8', { cause });
  }
  if (text.includes('\0')) throw new UnreadableXml('notUtf8', 'not UTF-8');
  requireParsable(text, limits);
  return text;
}

/** The parser that signatures are verified with, so that nobody reads another document than was verified. Throws `UnreadableXml`. */
export function parseXml(text: string): Document {
  const refuse = (message: string): never => {
    throw new UnreadableXml('notXml', message);
  };
  const parser = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } });
  try {
    const document = parser.parseFromString(text, 'text/xml');
    return document.documentElement ? document : refuse('There is no element');
  } catch (cause) {
    throw cause instanceof UnreadableXml ? cause : new UnreadableXml('notXml', '', { cause });
  }
}

/** What ends each kind of markup that is no element. */
const ends = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;
const declaration = /^<\?xml\s(?:[^?>"']|"[^"]*"|'[^']*')*\?>/;
const otherEncoding = /encoding\s*=\s*["'](?!utf-8["'])/i;

/**
 * Refuses what attacks are made of: a DOCTYPE, and nesting so deep that parsers that call themselves fall over it. One way through
 * the markup, in time that grows with the text alone. Throws `UnreadableXml`.
 */
export function requireParsable(text: string, limits: XmlLimits): void {
  const head = declaration.exec(text)?.[0] ?? '';
  if (otherEncoding.test(head)) throw new UnreadableXml('notUtf8', 'not UTF-8');
  let depth = 0;
  let elements = 0;
  for (let at = text.indexOf('<', head.length); at !== -1; at = text.indexOf('<', at)) {
    const other = ends.find(([begin]) => text.startsWith(begin, at));
    if (other && limits.allowsOtherMarkup) {
      at = behind(text, other[1], at + other[0].length);
      continue;
    }
    // Any other declaration: of a DOCTYPE or within one.
    if (other || text[at + 1] === '!') throw new UnreadableXml('forbiddenMarkup');
    const end = endOfTag(text, at);
    if (text[at + 1] === '/') depth -= 1;
    else {
      elements += 1;
      if (text[end - 2] !== '/') depth += 1;
    }
    if (depth > limits.depth || elements > limits.elements) throw new UnreadableXml('tooDeep');
    at = end;
  }
}

function behind(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  if (found === -1) throw new UnreadableXml('notXml', 'markup without an end');
  return found + end.length;
}

/** Behind the `>` of a tag; those in the values of attributes do not end it. */
function endOfTag(text: string, from: number): number {
  let quote: string | undefined;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at + 1;
  }
  throw new UnreadableXml('notXml', 'a tag without an end');
}
