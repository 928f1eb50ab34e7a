/**
 * How many bytes a text has in CP932, what Windows in Japan calls Shift-JIS. A character that it does not have counts as one of
 * two bytes, as most are.
 */
export function cp932Length(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += isSingleByte(character.codePointAt(0) ?? 0) ? 1 : 2;
  return bytes;
}

/** ASCII and half-width katakana. */
const isSingleByte = (code: number) => code < 0x80 || (code >= 0xff61 && code <= 0xff9f);
