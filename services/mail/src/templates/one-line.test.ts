import { expect, test } from 'vitest';
import { oneLine } from './one-line.ts';

test.each([
  ['山田 太郎', '山田 太郎'],
  ["O'Neill & Söhne <GmbH>", "O'Neill & Söhne <GmbH>"],
  ['Smith Jr.', 'Smith Jr.'],
  ['Taro\r\nBcc: all@example.com', 'Taro Bcc: all@ example. com'],
  ['a\u2028b\u0000c\u202Ed\u200Be', 'a b c d e'],
  ['https://evil.example/pay?now', 'https: / / evil. example/ pay?now'],
  ['www.evil.example', 'www. evil. example'],
  ['evil.example', 'evil. example'],
  ['call@evil.example', 'call@ evil. example'],
  ['mailto:a@b.c', 'mailto: a@ b. c'],
  ['evil。example', 'evil。 example'],
  ['パスワードはこちら→evil.みんな', 'パスワードはこちら→evil. みんな'],
  ['  many \t spaces ', 'many spaces'],
  ['', ''],
])('%j stands in a mail as %j', (typed, shown) => {
  expect(oneLine(typed)).toBe(shown);
});

test('What is long is cut, between characters', () => {
  expect(oneLine('あ'.repeat(255))).toBe(`${'あ'.repeat(63)}…`);
  expect(oneLine('😀'.repeat(100))).toBe(`${'😀'.repeat(63)}…`);
});
