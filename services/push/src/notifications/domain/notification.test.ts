import { pushRoutes } from '@portal/contracts';
import { expect, test } from 'vitest';
import { apnsPayload, fcmBody, fcmMessage } from '../../providers/domain/payload.ts';
import { requireSendable, unaddressed } from './notification.ts';

const { notificationFields: fields } = pushRoutes;
const payloadBytes = 4096;

/** The longest text of one character, repeated, that a field takes. */
function longestOf(field: 'message' | 'title', character: string): string {
  let text = '';
  while (fields.safeParse({ message: 'M', [field]: text + character }).success) text += character;
  return text;
}

const escapedBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

test('What is within the limits of title, message and JSON fits the 4,096 bytes of a payload', () => {
  // Of each kind that CP932, UTF-8 and JSON count differently; blanks alone say nothing, so an A is in front.
  const kinds = ['a', '"', '\\', '\n', '\t', '\u00a0', 'é', '\u2028', 'ｱ', '字', '\ufffd', '😀', '\u200e'];
  const longest = (field: 'message' | 'title') =>
    kinds
      .map((kind) => longestOf(field, kind))
      .reduce((most, text) => (escapedBytes(text) > escapedBytes(most) ? text : most), '');
  const title = longest('title');
  const message = longest('message');
  expect([escapedBytes(title), escapedBytes(message)]).toEqual([61 * 3, 235 * 3]);
  const json = `"${'x'.repeat(1_996)}"`;
  const content = { ...unaddressed, title, message, json };
  expect(escapedBytes(json)).toBe(2_000);
  expect(() => requireSendable(content, {}, new Date())).not.toThrow();
  expect(() => requireSendable({ ...content, json: json.replace('x', 'xx') }, {}, new Date())).toThrow();

  const push = { title, message, json, collapseKey: '2147483647' };
  for (const body of [JSON.stringify(apnsPayload(push)), fcmBody('', JSON.stringify(fcmMessage(push)))]) {
    const bytes = Buffer.byteLength(body);
    expect(bytes).toBeGreaterThan(2_888);
    expect(bytes).toBeLessThanOrEqual(payloadBytes);
  }
});
