import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Tells whether a key is `expected`, in the same time however much of it is right. */
export function apiKeyCheck(expected: string): (given: string) => boolean {
  const known = digest(expected);
  return (given) => timingSafeEqual(digest(given), known);
}
