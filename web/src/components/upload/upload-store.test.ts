import { ApiError } from '@portal/api-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUploadStore, type UploadStore, type UploadTask } from './upload-store.ts';

interface Served {
  /** Parts wait for this. */
  open: boolean;
  complete: 'works' | ApiError;
  readonly aborted: string[];
  readonly settled: string[];
  /** Uploads whose parts are asked for, in order. */
  readonly begun: string[];
}

let store: UploadStore;
let served: Served;

/** An upload of one part, whose bytes are stored as soon as the line is open. */
function task(uploadId: string, more: Partial<UploadTask> = {}): UploadTask {
  let isStored = false;
  let isComplete = false;
  return {
    uploadId,
    fileId: 1,
    name: uploadId,
    bytes: {
      file: new File(['0123456789'], `${uploadId}.uap`),
      partSize: 10,
      traceId: '1'.repeat(32),
      storedBytes: 0,
    },
    calls: {
      async sign(partNumbers, signal) {
        served.begun.push(uploadId);
        while (!served.open) {
          await new Promise((resolve) => setTimeout(resolve, 10));
          signal.throwIfAborted();
        }
        isStored = true;
        return partNumbers.map((partNumber) => ({ partNumber, signedUrl: 'http://portal.test/part' }));
      },
      stored: () =>
        Promise.resolve({
          status: isComplete ? 'complete' : 'uploading',
          parts: isStored ? [{ partNumber: 1, size: 10, etag: 'e' }] : [],
        }),
      complete() {
        if (served.complete !== 'works') return Promise.reject(served.complete);
        isComplete = true;
        return Promise.resolve({});
      },
      abort() {
        if (isComplete) return Promise.reject(new ApiError({ code: 'E40034', status: 400, message: 'late' }));
        served.aborted.push(uploadId);
        return Promise.resolve({});
      },
    },
    follow: undefined,
    onSettled: (outcome) => served.settled.push(`${uploadId} ${outcome}`),
    ...more,
  };
}

const stages = () => store.items().map(({ stage }) => stage);
const refusal = () => new ApiError({ code: 'E40002', status: 400, message: 'wrong' });

/** The PUT of a part is answered at once. */
class InstantRequest {
  upload: { onprogress?: (event: { loaded: number }) => void } = {};
  status = 200;
  onload?: () => void;
  onloadend?: () => void;
  open() {}
  setRequestHeader() {}
  abort() {}
  send() {
    queueMicrotask(() => {
      this.onload?.();
      this.onloadend?.();
    });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', InstantRequest);
  served = { open: false, complete: 'works', aborted: [], settled: [], begun: [] };
  store = createUploadStore();
});
afterEach(() => {
  store.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the uploads of a tab', () => {
  it('send two at a time, and the next as soon as there is room', async () => {
    for (const uploadId of ['a', 'b', 'c']) store.add(task(uploadId));
    await vi.advanceTimersByTimeAsync(50);
    expect(stages()).toEqual(['sending', 'sending', 'queued']);
    expect(served.begun).toEqual(['a', 'b']);
    served.open = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(stages()).toEqual(['done', 'done', 'done']);
    expect(served.settled.toSorted()).toEqual(['a done', 'b done', 'c done']);
    expect(store.isBusy()).toBe(false);
  });

  it('give the place of a paused one to the next, which keeps it', async () => {
    for (const uploadId of ['a', 'b', 'c']) store.add(task(uploadId));
    await vi.advanceTimersByTimeAsync(50);
    store.pause('a');
    expect(stages()).toEqual(['paused', 'sending', 'sending']);
    store.resume('a');
    expect(stages()).toEqual(['queued', 'sending', 'sending']);
    expect(store.isBusy()).toBe(true);
    served.open = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(stages()).toEqual(['done', 'done', 'done']);
  });

  it('do not change an item while its bytes move', async () => {
    store.add(task('a'));
    await vi.advanceTimersByTimeAsync(50);
    const [before] = store.items();
    const told = vi.fn();
    store.subscribe(told);
    await vi.advanceTimersByTimeAsync(1000);
    expect(store.items()[0]).toBe(before);
    expect(told).not.toHaveBeenCalled();
  });

  it('that fail say why, and go on when asked', async () => {
    served.open = true;
    served.complete = refusal();
    store.add(task('a'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(store.items()[0]).toMatchObject({
      stage: 'failed',
      failure: { message: 'wrong' },
      storedBytes: 10,
    });
    expect(served.settled).toEqual(['a failed']);
    served.complete = 'works';
    store.resume('a');
    await vi.advanceTimersByTimeAsync(5000);
    expect(stages()).toEqual(['done']);
  });

  it('do what follows once, when all bytes are there, and again only where it failed', async () => {
    let fails = true;
    const follow = vi.fn(async () => {
      if (fails) throw refusal();
      return undefined;
    });
    store.add(task('a', { follow }));
    await vi.advanceTimersByTimeAsync(50);
    expect(follow).not.toHaveBeenCalled();
    served.open = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(stages()).toEqual(['unfollowed']);
    fails = false;
    store.resume('a');
    await vi.advanceTimersByTimeAsync(10);
    expect(stages()).toEqual(['done']);
    expect(follow).toHaveBeenCalledTimes(2);
    store.resume('a');
    await vi.advanceTimersByTimeAsync(10);
    expect(follow).toHaveBeenCalledTimes(2);
  });

  it('that need no bytes go on to what follows', async () => {
    const follow = vi.fn(() => Promise.resolve(undefined));
    store.add(task('a', { bytes: undefined, follow }));
    await vi.advanceTimersByTimeAsync(10);
    expect(stages()).toEqual(['done']);
    expect(follow).toHaveBeenCalledOnce();
    expect(served.begun).toEqual([]);
  });

  it('are taken back on the server, and make room', async () => {
    for (const uploadId of ['a', 'b', 'c']) store.add(task(uploadId));
    await vi.advanceTimersByTimeAsync(50);
    expect(await store.cancel('a')).toBe(true);
    await vi.advanceTimersByTimeAsync(50);
    expect(served.aborted).toEqual(['a']);
    expect(served.settled).toEqual(['a cancelled']);
    expect(served.begun).toEqual(['a', 'b', 'c']);
    // One that is under way is no more taken off the list than that.
    store.dismiss('b');
    expect(store.items().length).toBe(2);
  });

  it('that are complete on the server cannot be taken back, and go on', async () => {
    const follow = vi.fn(() => Promise.resolve(undefined));
    const late = task('a', { follow });
    store.add({
      ...late,
      calls: {
        ...late.calls,
        // The answer does not come before it is taken back.
        async complete(parts, signal) {
          await late.calls.complete(parts, signal);
          await new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(new Error('Stopped'))),
          );
        },
      },
    });
    served.open = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(stages()).toEqual(['sending']);
    expect(await store.cancel('a')).toBe(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(stages()).toEqual(['done']);
    expect(follow).toHaveBeenCalledOnce();
    expect(served.settled).toEqual(['a done']);
  });

  it('end with the session, and stay on the server as they are', async () => {
    store.add(task('a'));
    await vi.advanceTimersByTimeAsync(50);
    store.stop();
    served.open = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(store.items()).toEqual([]);
    expect(served.aborted).toEqual([]);
    expect(served.settled).toEqual([]);
  });
});
