import { limits } from '@portal/contracts';
import { provideSsoUser } from '@portal/contracts/internal';
import { expect, test } from 'vitest';
import { personOf } from './person.ts';

const nameOf = (attributes: Readonly<Record<string, readonly string[]>>): string | undefined => {
  const { identifier, name } = personOf(
    {
      assertionId: '_1',
      nameId: 'taro@example.com',
      nameIdFormat: null,
      sessionIndex: null,
      attributes,
      validUntil: 0,
    },
    { usernameAttribute: null, groupAttribute: null },
  );
  // What the user service refuses keeps the person out.
  return provideSsoUser.body?.parse({ partnerId: 1, identifier, name, client: 'player' }).name;
};

test.each([
  ['\u202BTaro\u202C\nYamada\u2069', 'Taro Yamada'],
  [`${'山'.repeat(limits.nameMaxLength - 1)} 田`, '山'.repeat(limits.nameMaxLength - 1)],
  ['\u200Fשם', '\u200Fשם'],
])('A person told to be %j is called %j', (told, name) => {
  expect(nameOf({ displayName: [told], cn: ['Other'] })).toBe(name);
});

test('Where nothing is left of a name, then the next one counts, and at last the identifier', () => {
  const nothing = [' \u2067\u2069 '];
  expect(nameOf({ displayName: nothing, cn: ['Taro'] })).toBe('Taro');
  expect(nameOf({ displayName: nothing, cn: [''] })).toBe('taro@example.com');
});
