import { parseXml, requireParsable, UnreadableXml, type XmlLimits, xmlText } from '../xml/read-xml.ts';
import { Refusal } from './domain/refusal.ts';

/** No provider sends other markup than elements, and attackers do. */
export const messageLimits: XmlLimits = {
  bytes: 1024 * 1024,
  depth: 40,
  elements: 50_000,
  allowsOtherMarkup: false,
};

/** The text of a message in base64. Throws `Refusal` for what is none, or may not be parsed at all. */
export function readMessage(base64: string): string {
  // Four characters of base64 are three bytes; some providers break it into lines.
  if (base64.length > messageLimits.bytes * 1.5) throw new Refusal('tooLarge');
  const packed = base64.replace(/\s/g, '');
  if (packed === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) throw new Refusal('malformed', 'not base64');
  return readText(Buffer.from(packed, 'base64'));
}

/** The text of a message. Throws `Refusal` as `readMessage`. */
export const readText = (bytes: Uint8Array): string => refusing(() => xmlText(bytes, messageLimits));

/** Throws `Refusal` for the text of a message that may not be parsed. */
export const requireParsableMessage = (text: string): void =>
  refusing(() => requireParsable(text, messageLimits));

/** Throws `Refusal` for what is not XML. */
export const parseMessage = (text: string): Element => refusing(() => parseXml(text).documentElement);

function refusing<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableXml)) throw error;
    const { fault } = error;
    throw new Refusal(fault === 'notUtf8' || fault === 'notXml' ? 'malformed' : fault, error.message);
  }
}
