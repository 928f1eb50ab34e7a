import { expect, it, vi } from 'vitest';
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

/** The locks of a browser, of which all pages know. */
function locks() {
  const held = new Set<string>();
  return {
    held,
    request(name: string, { signal }: { signal: AbortSignal }, callback: () => Promise<never>) {
      if (!held.has(name)) {
        held.add(name);
        return callback();
      }
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Held'))));
    },
  };
}

/** The name of the tab of a page that is loaded. */
async function nameAfterLoad(): Promise<string> {
  vi.resetModules();
  const [{ createUploads }, page] = await Promise.all([import('./uploads.ts'), import('./begun-uploads.ts')]);
  const uploads = createUploads();
  expect(await uploads.open()).toBe(await uploads.open());
  return page.thisTab();
}

it('A duplicated tab gets a name of its own, and a reloaded one keeps its own', async () => {
  const { held, request } = locks();
  vi.stubGlobal('navigator', { locks: { request } });
  try {
    const first = await nameAfterLoad();
    // Its page is gone.
    held.clear();
    expect(await nameAfterLoad()).toBe(first);
    // A copy has what the session storage of the first has.
    const copy = await nameAfterLoad();
    expect(copy).not.toBe(first);
    expect(held.size).toBe(2);
  } finally {
    vi.unstubAllGlobals();
  }
});

it('Where a browser has no locks, a tab keeps its name', async () => {
  vi.stubGlobal('navigator', {});
  try {
    expect(await nameAfterLoad()).toBe(await nameAfterLoad());
  } finally {
    vi.unstubAllGlobals();
  }
});
