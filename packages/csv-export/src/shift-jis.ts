import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import iconv from 'iconv-lite';

/** Characters that CP932 has under another code point, which other systems type instead. */
const twins: Readonly<Record<string, string>> = {
  '〜': '～',
  '‖': '∥',
  '−': '－',
  '—': '―',
  '¢': '￠',
  '£': '￡',
  '¬': '￢',
  '¦': '￤',
};
const twin = new RegExp(`[${Object.keys(twins).join('')}]`, 'g');
const beyondPlane = /[\u{10000}-\u{10FFFF}]/gu;

/** UTF-8 to CP932; what that cannot write becomes `?`. */
export function shiftJis(): Transform {
  const decoder = new StringDecoder('utf8');
  const encode = (text: string) =>
    iconv.encode(
      text.replace(twin, (character) => twins[character] ?? character).replace(beyondPlane, '?'),
      'cp932',
    );
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, encode(decoder.write(chunk)));
    },
    flush(done) {
      done(null, encode(decoder.end()));
    },
  });
}
