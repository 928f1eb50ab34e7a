import { DOMParser } from '@xmldom/xmldom';

/** Of the XML that others send. Deeper than any message of SAML. */
const maxDepth = 64;

/** Why a text is not read as XML. */
export type XmlFault = 'tooLarge' | 'notUtf8' | 'doctype' | 'tooDeep' | 'notXml';

export class UnreadableXml extends Error {
  readonly fault: XmlFault;

  constructor(fault: XmlFault, options?: ErrorOptions) {
    super(`The XML is not read: ${fault}`, options);
    this.fault = fault;
  }
}

/**
 * The text of bytes of XML, which are UTF-8 alone: in another encoding the checks of `readXml` would look at other characters
 * than a parser. Throws `UnreadableXml`.
 */
export function xmlText(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.length > maxBytes) throw new UnreadableXml('tooLarge');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // As of a text with NULs.
  }
  throw new UnreadableXml('notUtf8');
}

/** Reads XML that somebody else sends: well-formed, without a DOCTYPE and not too deep, which is seen before it is parsed. */
export function readXml(text: string): Document {
  refuseDanger(text);
  const refuse = (message: string): never => {
    throw new UnreadableXml('notXml', { cause: message });
  };
  try {
    const document = new DOMParser({
      errorHandler: { warning: refuse, error: refuse, fatalError: refuse },
    }).parseFromString(text, 'text/xml');
    return document.documentElement ? document : refuse('There is no element');
  } catch (cause) {
    throw cause instanceof UnreadableXml ? cause : new UnreadableXml('notXml', { cause });
  }
}

/** What ends each kind of markup that is no element. */
const ends = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** One way through the markup, in time that grows with the text alone. */
function refuseDanger(text: string): void {
  let depth = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const other = ends.find(([begin]) => text.startsWith(begin, at));
    if (other) {
      at = behind(text, other[1], at + other[0].length);
      continue;
    }
    // A declaration: of a DOCTYPE or within one.
    if (text[at + 1] === '!') throw new UnreadableXml('doctype');
    const end = endOfTag(text, at);
    if (text[at + 1] === '/') depth -= 1;
    else if (text[end - 2] !== '/') depth += 1;
    if (depth > maxDepth) throw new UnreadableXml('tooDeep');
    at = end;
  }
}

function behind(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  if (found === -1) throw new UnreadableXml('notXml');
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
  throw new UnreadableXml('notXml');
}
