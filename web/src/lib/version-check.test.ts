import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createVersionCheck, type VersionCheck } from './version-check.ts';

let version: string;
let fails: boolean;
let time: number;
const fetch = vi.fn(async () => {
  if (fails) throw new TypeError('offline');
  return HttpResponse.json({ version, built_at: '2026-11-21T00:00:00Z' });
});
const reload = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  version = '1';
  fails = false;
  time = 1_000_000;
  fetch.mockClear();
  reload.mockClear();
});

afterEach(() => {
  vi.useRealTimers();
});

const create = (built = '1') => createVersionCheck({ built, fetch, reload, now: () => time });
const answer = (check: VersionCheck, from: string) => check.onAnswer(new Headers({ 'x-version': from }));
/** Whether the next call is made; else the page is reloaded, and nothing goes on. */
const goesOn = async (check: VersionCheck) =>
  Promise.race([
    check.beforeRequest().then(() => true),
    vi.waitFor(() => expect(reload).toHaveBeenCalled()).then(() => false),
  ]);

describe('the version check', () => {
  it('asks for nothing where calls are answered', async () => {
    const check = create();
    for (let call = 0; call < 3; call += 1) {
      expect(await goesOn(check)).toBe(true);
      answer(check, '1');
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(fetch).not.toHaveBeenCalled();
    expect(reload).not.toHaveBeenCalled();
  });

  it('asks on a page that makes no call', async () => {
    create();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(fetch).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch.mock.calls).toEqual([['/version.json?t=1000000', expect.anything()]]);
  });

  it('sees a deployment between the load of the page and its first answer', async () => {
    const check = create('1');
    await check.beforeRequest();
    answer(check, '2');
    expect(await goesOn(check)).toBe(false);
    expect(localStorage.getItem('version_changing_flag')).not.toBeNull();
  });

  it('sees a page that is old when it is loaded', async () => {
    version = '2';
    const check = create('1');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await goesOn(check)).toBe(false);
  });

  it('reloads once while a version is rolled out, whichever server answers, and again for the next one', async () => {
    const before = create('1');
    answer(before, '2');
    expect(await goesOn(before)).toBe(false);
    reload.mockClear();

    version = '2';
    const after = create('2');
    for (const from of ['1', '2', '1']) {
      answer(after, from);
      expect(await goesOn(after)).toBe(true);
    }
    time += 60_000;
    answer(after, '2');
    expect(await goesOn(after)).toBe(true);
    expect(localStorage.getItem('version_changing_flag')).toBeNull();
    answer(after, '3');
    expect(await goesOn(after)).toBe(false);
  });

  it('waits with the reload for whoever holds it', async () => {
    const check = create();
    const release = check.holdReload();
    answer(check, '2');
    expect(await goesOn(check)).toBe(true);
    release();
    release();
    expect(await goesOn(check)).toBe(false);
  });

  it('looks whether the server is there when a call gets no answer', async () => {
    const check = create();
    fails = true;
    await check.onSilence();
    expect(localStorage.getItem('version_check_error_flag')).toBe('true');
    fails = false;
    version = '2';
    await check.onSilence();
    expect(localStorage.getItem('version_check_error_flag')).toBeNull();
    expect(await goesOn(check)).toBe(false);
  });

  it('leaves a page alone that was built as no version, as by a development server', async () => {
    const check = createVersionCheck({ fetch, reload, now: () => time });
    answer(check, '2');
    expect(await goesOn(check)).toBe(true);
    expect(fetch).not.toHaveBeenCalled();
  });
});
