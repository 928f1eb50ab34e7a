import { cp932Length } from '@portal/contracts';
import { expect, test } from 'vitest';
import { fileNotice } from './file-notice.ts';

test('People are told the name of a file, in the language of their company', () => {
  expect(fileNotice({ fileId: 5, name: 'Tour' }, 'ja')).toEqual({
    title: '新しいファイルが届きました',
    message: 'Tour',
    json: '{"file_id":5}',
  });
  expect(fileNotice({ fileId: 5, name: 'Tour' }, 'en').title).toBe('A new file is available');
});

test('A name that is longer than a notification is shortened, by whole characters', () => {
  const { message } = fileNotice({ fileId: 5, name: '営'.repeat(200) }, 'ja');
  expect(message).toBe(`${'営'.repeat(116)}…`);
  expect(cp932Length(message)).toBeLessThanOrEqual(235);
  expect(fileNotice({ fileId: 5, name: '営'.repeat(117) }, 'ja').message).toBe('営'.repeat(117));
  const outside = fileNotice({ fileId: 5, name: `a${'𠮟'.repeat(200)}` }, 'ja').message;
  expect(outside).toBe(`a${'𠮟'.repeat(116)}…`);
});
