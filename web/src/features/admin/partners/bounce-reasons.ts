import type { tenantMenu } from '../../../i18n/ja/tenant-menu.ts';

export type BounceReason = keyof typeof tenantMenu.reasons;

/** By the enhanced status codes of RFC 3463; the first that begins so names the reason. */
const byStatus: readonly (readonly [status: RegExp, reason: BounceReason])[] = [
  [/^[45]\.1\.[0136]$/, 'unknownAddress'],
  [/^[45]\.1\.(2|10)$/, 'unknownDomain'],
  [/^[45]\.2\.1$/, 'disabled'],
  [/^[45]\.2\.2$/, 'full'],
  [/^[45]\.(2\.3|3\.4)$/, 'tooLarge'],
  [/^[45]\.4\.\d+$/, 'unreachable'],
  [/^5\.7\.\d+$/, 'refused'],
];

const byWords: readonly (readonly [words: RegExp, reason: BounceReason])[] = [
  [
    /user unknown|unknown user|no such (user|recipient|mailbox)|does not exist|invalid recipient/i,
    'unknownAddress',
  ],
  [/ENOTFOUND|domain|NXDOMAIN/i, 'unknownDomain'],
  [/mailbox (is )?full|quota/i, 'full'],
  [/disabled|inactive/i, 'disabled'],
  [/too (large|big)/i, 'tooLarge'],
  [/ECONN|ETIMEDOUT|EHOST|timed? ?out|timeout|connection/i, 'unreachable'],
  [/spam|polic|blocked|denied|relay|rejected|refused/i, 'refused'],
];

/** What a mail server's answer means, as far as it can be told. */
export function bounceReasonOf(answer: string): BounceReason {
  const [status] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(answer) ?? [];
  const known = status === undefined ? undefined : byStatus.find(([pattern]) => pattern.test(status));
  return (known ?? byWords.find(([pattern]) => pattern.test(answer)))?.[1] ?? 'other';
}
