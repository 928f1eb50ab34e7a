import { expect, it } from 'vitest';
import { begunUploads, forgetUpload, rememberUpload, thisTab } from './begun-uploads.ts';

const upload = (uploadId: string) => ({
  fileId: 1,
  uploadId,
  tab: 't',
  groupIds: [3],
  notifyEmail: true,
  notifyPush: true,
});

it('What somebody began is known to them alone, until it is forgotten', () => {
  rememberUpload('7.1', upload('a'));
  rememberUpload('7.1', upload('b'));
  rememberUpload('7.1', { ...upload('a'), notifyEmail: false });
  expect(begunUploads('7.1')).toEqual([upload('b'), { ...upload('a'), notifyEmail: false }]);
  expect(begunUploads('7.2')).toEqual([]);
  forgetUpload('7.1', 'a');
  forgetUpload('7.1', 'b');
  expect(localStorage.getItem('portal.uploads.7.1')).toBeNull();
});

it('What cannot be read is nothing', () => {
  localStorage.setItem('portal.uploads.7.1', '[{"fileId":"x"}]');
  expect(begunUploads('7.1')).toEqual([]);
  localStorage.setItem('portal.uploads.7.1', '{');
  expect(begunUploads('7.1')).toEqual([]);
});

it('A hundred are remembered at most, and a tab keeps its name', () => {
  for (let index = 0; index < 101; index += 1) rememberUpload('7.1', upload(String(index)));
  expect(begunUploads('7.1').map(({ uploadId }) => uploadId)).not.toContain('0');
  expect(begunUploads('7.1').length).toBe(100);
  expect(thisTab()).toBe(thisTab());
});
