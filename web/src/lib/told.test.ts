import { clientError } from '@portal/api-client';
import { errorCatalogue, fieldMessage, fieldMessages, isFieldMessageKey } from '@portal/contracts';
import { describe, expect, it } from 'vitest';
import { toldIn } from './told.ts';

describe('what a failure told', () => {
  it.each(Object.keys(fieldMessages).filter(isFieldMessageKey))('of %s changes its language', (key) => {
    const params = {
      max: 5,
      kind: 'UAP',
      filename: 'a (1).uap',
      columns: 9,
      count: 8,
      ids: '4, 5',
      line: 3,
      needed: 7,
      left: 2,
      missing: 5,
      given: 6,
      used: 9,
    };
    const [ja, en] = [fieldMessage(key, 'ja', params), fieldMessage(key, 'en', params)];
    expect([toldIn('en', ja), toldIn('ja', ja)]).toEqual([en, ja]);
    // Two texts may be the same in one language; what is read is right all the same.
    expect(toldIn('en', toldIn('ja', en))).toBe(en);
  });

  it.each(Object.entries(errorCatalogue))('with %s changes its language', (_, { en, ja }) => {
    expect([toldIn('en', ja), toldIn('ja', ja)]).toEqual([en, ja]);
  });

  it('without an answer changes its language', () => {
    expect(toldIn('en', clientError('NETWORK', 'ja').message)).toBe(clientError('NETWORK', 'en').message);
  });

  it('stays when it is not known', () => {
    expect(toldIn('en', '知らない文')).toBe('知らない文');
  });
});
