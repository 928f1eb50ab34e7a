import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createVersionCheck } from './version-check.ts';

let version: string;
let fails: boolean;
let time: number;
const fetch = vi.fn(async () => {
  if (fails) throw new TypeError('offline');
  return HttpResponse.json({ version, built_at: '2026-11-21T00:00:00Z' });
});
const reload = vi.fn();

beforeEach(() => {
  version = '1';
  fails = false;
  time = 1_000_000;
  fetch.mockClear();
  reload.mockClear();
});

const create = () => createVersionCheck({ language: () => 'en', fetch, reload, now: () => time });

describe('the version check', () => {
  it('asks once for requests at the same time or shortly after', async () => {
    const check = create();
    await Promise.all([check.beforeRequest(), check.beforeRequest()]);
    time += 4000;
    await check.beforeRequest();
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(fetch).toHaveBeenCalledWith('/version.json?t=1000000', expect.anything());
    time += 1001;
    await check.beforeRequest();
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('reloads once for a new version, and never again while the flag stands', async () => {
    const check = create();
    await check.beforeRequest();
    version = '2';
    time += 6000;
    void check.beforeRequest();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(localStorage.getItem('version_changing_flag')).toBe('true');

    await create().beforeRequest();
    expect(localStorage.getItem('version_changing_flag')).toBeNull();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('waits with the reload for whoever holds it', async () => {
    const check = create();
    await check.beforeRequest();
    const release = check.holdReload();
    version = '2';
    time += 6000;
    await check.beforeRequest();
    expect(reload).not.toHaveBeenCalled();
    release();
    release();
    time += 6000;
    void check.beforeRequest();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  });

  it('refuses the request when it can’t tell', async () => {
    fails = true;
    const check = create();
    await expect(check.beforeRequest()).rejects.toMatchObject({ code: 'NETWORK' });
    expect(localStorage.getItem('version_check_error_flag')).toBe('true');
    fails = false;
    await check.beforeRequest();
    expect(localStorage.getItem('version_check_error_flag')).toBeNull();
  });
});
