import { expect, it } from 'vitest';
import { bounceReasonOf } from './bounce-reasons.ts';

it.each([
  ['550 5.1.1 <taro@example.com>: Recipient address rejected', 'unknownAddress'],
  ['550 No such user here', 'unknownAddress'],
  ['queryMx ENOTFOUND example.invalid', 'unknownDomain'],
  ['452 4.2.2 The email account is over quota', 'full'],
  ['552 5.3.4 Message size exceeds fixed limit', 'tooLarge'],
  ['connect ECONNREFUSED 192.0.2.1:25', 'unreachable'],
  ['554 5.7.1 Service unavailable; client blocked', 'refused'],
  ['451 Try again', 'other'],
])('"%s" means %s', (answer, reason) => {
  expect(bounceReasonOf(answer)).toBe(reason);
});
