import { ApiError, newTraceId } from '@portal/api-client';
import { limits } from '@portal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionLost, type SendBytes } from './transport.ts';
import { UploadCancelled } from './upload-cancelled.ts';
import { createUploader, type UploadCalls } from './uploader.ts';

const partSize = 10;

/** A storage in memory. `line` decides what becomes of each part that is sent. */
function fakeStorage(line: (partNumber: number, attempt: number) => 'works' | 'breaks' | 'hangs' | number) {
  const stored = new Map<number, number>();
  const attempts = new Map<number, number>();
  const sentParts: number[] = [];
  let status: 'uploading' | 'complete' | 'aborted' = 'uploading';
  let aborted = 0;

  const calls: UploadCalls = {
    sign: (partNumbers) =>
      Promise.resolve(partNumbers.map((partNumber) => ({ partNumber, signedUrl: `/${partNumber}` }))),
    stored: () =>
      Promise.resolve({
        status,
        parts: [...stored].map(([partNumber, size]) => ({ partNumber, size, etag: `e${partNumber}` })),
      }),
    complete(parts) {
      expect(parts.map(({ partNumber }) => partNumber).sort((a, b) => a - b)).toEqual(
        [...stored.keys()].sort((a, b) => a - b),
      );
      status = 'complete';
      return Promise.resolve({});
    },
    abort() {
      aborted += 1;
      return Promise.resolve({});
    },
  };

  const send: SendBytes = async (address, body, { signal, onProgress }) => {
    const partNumber = Number(address.slice(1));
    const attempt = (attempts.get(partNumber) ?? 0) + 1;
    attempts.set(partNumber, attempt);
    sentParts.push(partNumber);
    await new Promise((resolve) => setTimeout(resolve, 100));
    signal.throwIfAborted();
    const outcome = line(partNumber, attempt);
    if (outcome === 'breaks') throw new ConnectionLost('broken');
    if (outcome === 'hangs') {
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    }
    if (typeof outcome === 'number') return outcome;
    onProgress(body.size);
    stored.set(partNumber, body.size);
    return 200;
  };

  return { calls, send, stored, sentParts, aborts: () => aborted };
}

const file = (bytes: number) => new Blob([new Uint8Array(bytes)]);

function start(bytes: number, storage: ReturnType<typeof fakeStorage>) {
  const uploader = createUploader({
    file: file(bytes),
    partSize,
    calls: storage.calls,
    traceId: newTraceId(),
    send: storage.send,
  });
  uploader.start();
  return uploader;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an upload', () => {
  it('sends every part, and says how far it is', async () => {
    const storage = fakeStorage(() => 'works');
    const uploader = start(45, storage);
    await vi.advanceTimersByTimeAsync(1000);
    await uploader.finished;
    expect([...storage.stored.values()].sort((a, b) => a - b)).toEqual([5, 10, 10, 10, 10]);
    expect(uploader.snapshot()).toMatchObject({ status: 'complete', sent: 45, total: 45 });
  });

  it('of a file no larger than a part is one part', async () => {
    const storage = fakeStorage(() => 'works');
    const uploader = start(3, storage);
    await vi.advanceTimersByTimeAsync(1000);
    await uploader.finished;
    expect([...storage.stored]).toEqual([[1, 3]]);
  });

  it('pauses, and goes on with the parts that are not stored', async () => {
    const storage = fakeStorage(() => 'works');
    const uploader = start(100, storage);
    await vi.advanceTimersByTimeAsync(150);
    uploader.pause();
    expect(uploader.snapshot().status).toBe('paused');
    const before = storage.stored.size;
    expect(before).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(storage.stored.size).toBe(before);

    storage.sentParts.length = 0;
    uploader.resume();
    await vi.advanceTimersByTimeAsync(2000);
    await uploader.finished;
    expect(storage.sentParts.sort((a, b) => a - b)).toEqual([4, 5, 6, 7, 8, 9, 10]);
  });

  it('that pauses ends the parts that are nearly done, and sends none of them again', async () => {
    const storage = fakeStorage(() => 'works');
    const sent: number[] = [];
    // Parts 1 and 3 are nearly done when the pause comes, part 2 is not.
    const uploader = createUploader({
      file: file(40),
      partSize,
      calls: storage.calls,
      traceId: newTraceId(),
      async send(address, body, { signal, onProgress }) {
        const partNumber = Number(address.slice(1));
        sent.push(partNumber);
        onProgress(partNumber === 2 ? 1 : 8);
        await new Promise((resolve) => setTimeout(resolve, 100));
        signal.throwIfAborted();
        storage.stored.set(partNumber, body.size);
        return 200;
      },
    });
    uploader.start();
    await vi.advanceTimersByTimeAsync(50);
    uploader.pause();
    await vi.advanceTimersByTimeAsync(1000);
    expect(uploader.snapshot()).toMatchObject({ status: 'paused', sent: 20 });
    expect([...storage.stored.keys()].sort()).toEqual([1, 3]);
    expect(sent.splice(0)).toEqual([1, 2, 3]);

    uploader.resume();
    await vi.advanceTimersByTimeAsync(2000);
    await uploader.finished;
    expect(sent).toEqual([2, 4]);
  });

  it('that goes on at once waits for the parts that a pause let end', async () => {
    const storage = fakeStorage(() => 'works');
    const sent: number[] = [];
    const uploader = createUploader({
      file: file(20),
      partSize,
      calls: storage.calls,
      traceId: newTraceId(),
      async send(address, body, { signal, onProgress }) {
        const partNumber = Number(address.slice(1));
        sent.push(partNumber);
        onProgress(9);
        await new Promise((resolve) => setTimeout(resolve, 100));
        signal.throwIfAborted();
        storage.stored.set(partNumber, body.size);
        return 200;
      },
    });
    uploader.start();
    await vi.advanceTimersByTimeAsync(50);
    uploader.pause();
    uploader.resume();
    await vi.advanceTimersByTimeAsync(2000);
    await uploader.finished;
    expect(sent).toEqual([1, 2]);
  });

  it('goes on by itself when a lost connection is back', async () => {
    let connected = true;
    const storage = fakeStorage(() => (connected ? 'works' : 'breaks'));
    const uploader = start(80, storage);
    await vi.advanceTimersByTimeAsync(150);
    connected = false;
    await vi.advanceTimersByTimeAsync(5000);
    expect(uploader.snapshot().status).toBe('waiting');
    connected = true;
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(1000);
    await uploader.finished;
    expect(storage.stored.size).toBe(8);
  });

  it('asks for a new address when one is over', async () => {
    const storage = fakeStorage((_, attempt) => (attempt === 1 ? 403 : 'works'));
    const sign = vi.spyOn(storage.calls, 'sign');
    const uploader = start(10, storage);
    await vi.advanceTimersByTimeAsync(5000);
    await uploader.finished;
    expect(sign).toHaveBeenCalledTimes(2);
  });

  it('that does not move for a minute stops, and may be resumed', async () => {
    let hangs = true;
    const storage = fakeStorage(() => (hangs ? 'hangs' : 'works'));
    const uploader = start(20, storage);
    await vi.advanceTimersByTimeAsync(limits.uploadStallTimeout - 1000);
    expect(uploader.snapshot().timedOut).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(uploader.snapshot()).toMatchObject({ status: 'failed', timedOut: true });
    hangs = false;
    uploader.resume();
    await vi.advanceTimersByTimeAsync(1000);
    await uploader.finished;
    expect(uploader.snapshot()).toMatchObject({ status: 'complete', timedOut: false });
  });

  it('takes up what another page left', async () => {
    const storage = fakeStorage(() => 'works');
    storage.stored.set(1, 10);
    storage.stored.set(2, 4);
    const uploader = start(30, storage);
    await vi.advanceTimersByTimeAsync(1000);
    await uploader.finished;
    // The second was stored in part only.
    expect(storage.sentParts.sort((a, b) => a - b)).toEqual([2, 3]);
  });

  it('that is cancelled is taken back', async () => {
    const storage = fakeStorage(() => 'works');
    const uploader = start(100, storage);
    await vi.advanceTimersByTimeAsync(50);
    uploader.cancel();
    await expect(uploader.finished).rejects.toBeInstanceOf(UploadCancelled);
    expect(storage.aborts()).toBe(1);
  });

  it('ends with what the server refuses', async () => {
    const storage = fakeStorage(() => 'works');
    const refused = new ApiError({ code: 'E40002', status: 400, message: 'mismatch' });
    vi.spyOn(storage.calls, 'complete').mockRejectedValue(refused);
    const uploader = start(10, storage);
    const ended = expect(uploader.finished).rejects.toBe(refused);
    await vi.advanceTimersByTimeAsync(1000);
    await ended;
    expect(uploader.snapshot().status).toBe('failed');
  });
});
