import { isValidPassword } from '@portal/contracts';
import { expect, test } from 'vitest';
import { isGuessable } from '../src/guessable-passwords.ts';

const nobody = {};
const person = { name: 'Taro Yamada 1', email: 'Taro.Y2@example1.com', loginUserId: 'taro-2026' };

test.each(['password1', 'PASSWORD1', 'Passw0rd', 'qwerty123', 'abc12345', '1qaz2wsx', 'Welcome1'])(
  '%s is one of the most used',
  (password) => {
    expect([isValidPassword(password), isGuessable(password, nobody)]).toEqual([true, true]);
  },
);

test.each(['TaroYamada1', 'taro.y2@EXAMPLE1.com', 'taro.y2', 'TARO-2026', 'ｔａｒｏ-2026'])(
  '%s is what its owner is called',
  (password) => {
    expect([isGuessable(password, person), isGuessable(password, nobody)]).toEqual([true, false]);
  },
);

test.each(['Passw0rd-demo', 'taro-2026x', 'k4tze-am-see', 'example1.com'])('%s is neither', (password) => {
  expect(isGuessable(password, person)).toBe(false);
});
