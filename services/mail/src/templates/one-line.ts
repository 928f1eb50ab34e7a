const longest = 64;

/** Control characters, line breaks, and what turns the direction of writing or is not seen. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;
/** Where mail programs find an address to make a link of: `a.b`, `a@b`, `http://a`, `www.a`. */
const partsOfLinks = /[.．。｡@＠:：/／](?=[\p{L}\p{N}/／])/gu;

/**
 * What somebody has typed, as it may stand in a mail: one line, not long, and nothing that a mail program makes a link of. A name
 * such as `https://example.com` stays to be read, with spaces in it.
 */
export function oneLine(text: string): string {
  const characters = [...text.replace(unseen, ' ').replace(/\s+/g, ' ').trim()];
  const short = characters.length > longest ? [...characters.slice(0, longest - 1), '…'] : characters;
  return short.join('').replace(partsOfLinks, '$& ');
}
