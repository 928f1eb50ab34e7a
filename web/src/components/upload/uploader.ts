import { ApiError } from '@portal/api-client';
import { errorCatalogue, limits } from '@portal/contracts';
import { currentLanguage } from '../../lib/i18n.ts';
import type { UploadProgress } from '../../ui/upload/upload-panel.tsx';
import { pauseUntilOnline, persist } from './retry.ts';
import { createSpeedometer } from './speedometer.ts';
import { ConnectionLost, type SendBytes, sendBytesIn } from './transport.ts';
import { UploadCancelled } from './upload-cancelled.ts';

/*
 * Why not Uppy: since its sixth version @uppy/aws-s3 asks for one signed S3 request at a time and speaks S3's own XML to
 * list, complete and abort, sends the parts of a file one after the other, and brings lodash and preact. Our uploads have
 * calls of their own for all of that, and what is left is this file.
 */

export interface StoredPart {
  readonly partNumber: number;
  readonly size: number;
  readonly etag: string;
}

/** The calls of one upload. */
export interface UploadCalls {
  sign(partNumbers: number[], signal: AbortSignal): Promise<{ partNumber: number; signedUrl: string }[]>;
  stored(
    signal: AbortSignal,
  ): Promise<{ status: 'uploading' | 'complete' | 'aborted'; parts: readonly StoredPart[] }>;
  complete(parts: { partNumber: number; etag: string }[], signal: AbortSignal): Promise<unknown>;
  abort(): Promise<unknown>;
}

export interface UploadSnapshot extends UploadProgress {
  /** Nothing moved for `limits.uploadStallTimeout`: it was stopped and may be resumed. */
  readonly timedOut: boolean;
}

export interface Uploader {
  snapshot(): UploadSnapshot;
  subscribe(listener: () => void): () => void;
  /** Resolves when the file is complete; rejects with the `ApiError` that ended it, or `UploadCancelled`. */
  readonly finished: Promise<void>;
  start(): void;
  pause(): void;
  /** Goes on after a pause or a time-out with the parts that are not stored yet. */
  resume(): void;
  /** Takes the upload back. */
  cancel(): void;
  /** The same for who leaves: nobody is told any more. */
  abandon(): void;
  /** Stops sending and leaves the upload as it is, to be resumed elsewhere. */
  stop(): void;
}

interface UploaderOptions {
  file: Blob;
  /** Bytes of every part but the last. */
  partSize: number;
  calls: UploadCalls;
  traceId: string;
  /** What is stored of it by what was told before, in bytes; shown until the storage is asked. */
  storedBytes?: number;
  send?: SendBytes;
}

/** Enough to fill a line; few enough that a pause does not throw much away. */
const parallel = 3;
/** Parts that are signed with one call. */
const signedAtOnce = 16;
/** Of a part, from which share on it is sent to its end although the upload pauses. */
const nearlyDone = 0.5;
/** Milliseconds between two looks at the clock, and between two looks at an upload that is being verified. */
const tick = 1_000;
/** Milliseconds between two reports of progress. */
const reportEvery = 200;

class Paused extends Error {}

/** The storage answered, and not that it has the part. */
function refusal(status: number): ApiError {
  const message = errorCatalogue.E50001[currentLanguage()];
  return new ApiError({ code: 'E50001', status, message });
}

/** Sends a file in parts, several at a time, through interruptions of the line. */
export function createUploader(options: UploaderOptions): Uploader {
  const { file, partSize, calls, traceId, storedBytes = 0, send = sendBytesIn(traceId) } = options;
  const partCount = Math.max(1, Math.ceil(file.size / partSize));
  const bytesOf = (partNumber: number) => file.slice((partNumber - 1) * partSize, partNumber * partSize);
  const sizeOf = (partNumber: number) => Math.min(partSize, file.size - (partNumber - 1) * partSize);

  const listeners = new Set<() => void>();
  const finished = Promise.withResolvers<void>();
  // A caller that does not wait for the end does not need its error.
  finished.promise.catch(() => undefined);

  const speedometer = createSpeedometer();
  const stored = new Set<number>();
  const inFlight = new Map<number, number>();
  /** Parts that end by themselves after a pause. */
  const ending = new Map<number, { readonly ended: Promise<void>; stop(reason: Error): void }>();
  let addresses = new Map<number, string>();
  let signing: Promise<void> | undefined;
  let status: UploadProgress['status'] = 'waiting';
  let timedOut = false;
  let isAsked = false;
  let run: AbortController | undefined;
  let clock: ReturnType<typeof setInterval> | undefined;
  let idle = 0;
  let reportedAt = 0;
  let snapshot = take();

  function take(): UploadSnapshot {
    let sent = isAsked ? 0 : storedBytes;
    for (const partNumber of stored) sent += sizeOf(partNumber);
    for (const [partNumber, bytes] of inFlight) if (!stored.has(partNumber)) sent += bytes;
    return { status, sent, total: file.size, speed: speedometer.speed(), timedOut };
  }

  function report(): void {
    reportedAt = performance.now();
    snapshot = take();
    for (const listener of listeners) listener();
  }

  function become(next: UploadProgress['status']): void {
    if (status === next) return;
    status = next;
    report();
  }

  function moved(partNumber: number, sent: number): void {
    if (sent > (inFlight.get(partNumber) ?? 0)) {
      idle = 0;
      if (status === 'waiting') status = 'uploading';
    }
    inFlight.set(partNumber, sent);
    const now = performance.now();
    if (now - reportedAt < reportEvery) return;
    speedometer.add(take().sent, now);
    report();
  }

  function halt(reason: Error): void {
    clearInterval(clock);
    run?.abort(reason);
    run = undefined;
    for (const part of ending.values()) part.stop(reason);
    inFlight.clear();
    addresses = new Map();
    signing = undefined;
    speedometer.reset();
  }

  /** As `halt`, but for the parts that are nearly done. */
  function pauseSending(): void {
    clearInterval(clock);
    run?.abort(new Paused('Paused'));
    run = undefined;
    for (const partNumber of inFlight.keys()) if (!ending.has(partNumber)) inFlight.delete(partNumber);
    addresses = new Map();
    signing = undefined;
    speedometer.reset();
  }

  /** Counts beats rather than time: a computer that slept has not been idle. */
  function watch(): void {
    if (status !== 'uploading' && status !== 'waiting') return;
    idle += tick;
    if (idle < limits.uploadStallTimeout) return;
    halt(new Error('The upload stalled'));
    timedOut = true;
    become('failed');
  }

  const trouble = () => {
    if (status === 'uploading' && inFlight.size === 0) {
      speedometer.reset();
      become('waiting');
    }
  };

  async function sign(partNumber: number, missing: readonly number[], signal: AbortSignal): Promise<void> {
    const wanted = [partNumber, ...missing.filter((one) => !addresses.has(one))].slice(0, signedAtOnce);
    for (const part of await calls.sign(wanted, signal)) addresses.set(part.partNumber, part.signedUrl);
    if (!addresses.has(partNumber)) throw refusal(0);
  }

  /** Several parts are signed with one call, which those who come meanwhile wait for. */
  async function addressOf(partNumber: number, missing: readonly number[], signal: AbortSignal) {
    for (;;) {
      const known = addresses.get(partNumber);
      if (known !== undefined) return known;
      signing ??= sign(partNumber, missing, signal).finally(() => {
        signing = undefined;
      });
      await signing;
    }
  }

  /** As `signal` for one part: a pause lets a part that is nearly done come to its end. */
  function signalOfPart(partNumber: number, signal: AbortSignal) {
    const own = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const abort = () => {
      const share = (inFlight.get(partNumber) ?? 0) / sizeOf(partNumber);
      if (!(signal.reason instanceof Paused) || share < nearlyDone) {
        own.abort(signal.reason);
        return;
      }
      ending.set(partNumber, { ended, stop: (reason) => own.abort(reason) });
    };
    signal.addEventListener('abort', abort);
    return {
      signal: own.signal,
      over() {
        signal.removeEventListener('abort', abort);
        ending.delete(partNumber);
        end();
      },
    };
  }

  async function sendPart(partNumber: number, missing: readonly number[], signal: AbortSignal) {
    const address = await addressOf(partNumber, missing, signal);
    signal.throwIfAborted();
    const part = signalOfPart(partNumber, signal);
    try {
      const answer = await send(address, bytesOf(partNumber), {
        signal: part.signal,
        onProgress: (sent) => moved(partNumber, sent),
      });
      if (answer < 300) {
        moved(partNumber, sizeOf(partNumber));
        stored.add(partNumber);
        if (signal.aborted) report();
        return;
      }
      // An address that is over is signed anew.
      addresses.delete(partNumber);
      if (answer === 403 || answer === 408 || answer === 429 || answer >= 500) {
        throw new ConnectionLost(`The storage answered ${answer}`);
      }
      throw refusal(answer);
    } finally {
      part.over();
      inFlight.delete(partNumber);
    }
  }

  async function sendMissing(signal: AbortSignal): Promise<void> {
    const missing = Array.from({ length: partCount }, (_, index) => index + 1).filter(
      (partNumber) => !stored.has(partNumber),
    );
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    const worker = async () => {
      for (let next = missing.shift(); next !== undefined; next = missing.shift()) {
        const partNumber = next;
        either.throwIfAborted();
        await persist(() => sendPart(partNumber, missing, either), { signal: either, onTrouble: trouble });
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(parallel, missing.length) }, worker));
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  }

  /** Which parts the storage has; true when the upload is over. */
  async function askStored(signal: AbortSignal): Promise<readonly StoredPart[] | 'complete'> {
    const state = await persist(() => calls.stored(signal), { signal, onTrouble: trouble });
    if (state.status === 'complete') return 'complete';
    if (state.status === 'aborted') {
      throw new ApiError({ code: 'E40034', status: 400, message: errorCatalogue.E40034[currentLanguage()] });
    }
    const whole = state.parts.filter(({ partNumber, size }) => size === sizeOf(partNumber));
    stored.clear();
    for (const { partNumber } of whole) stored.add(partNumber);
    if (!isAsked) {
      isAsked = true;
      report();
    }
    return whole;
  }

  /** The server has all bytes and computes their hash, which takes a while for a large file. */
  async function verified(signal: AbortSignal): Promise<void> {
    become('finishing');
    const look = () => persist(() => calls.stored(signal), { signal, onTrouble: trouble });
    while ((await look()).status === 'uploading') await pauseUntilOnline(tick, signal);
  }

  async function transfer(signal: AbortSignal): Promise<void> {
    // What a pause let end is not sent a second time.
    await Promise.all([...ending.values()].map(({ ended }) => ended));
    for (;;) {
      const parts = await askStored(signal);
      if (parts === 'complete') return;
      if (stored.size === partCount) {
        become('finishing');
        const list = parts.map(({ partNumber, etag }) => ({ partNumber, etag }));
        await persist(() => calls.complete(list, signal), { signal, onTrouble: trouble });
        await verified(signal);
      } else {
        become('uploading');
        try {
          await sendMissing(signal);
        } catch (error) {
          // Takes no parts any more: it was completed before this page was loaded.
          if (!(error instanceof ApiError && error.code === 'E40034')) throw error;
          await verified(signal);
        }
      }
    }
  }

  function go(): void {
    if (run) return;
    run = new AbortController();
    const { signal } = run;
    idle = 0;
    timedOut = false;
    status = 'uploading';
    report();
    clock = setInterval(watch, tick);
    transfer(signal).then(
      () => {
        halt(new Error('Done'));
        become('complete');
        finished.resolve();
      },
      (error: unknown) => {
        // Paused, stalled, cancelled or left: whoever did it has told.
        if (signal.aborted) return;
        halt(new Error('Failed'));
        become('failed');
        finished.reject(error);
      },
    );
  }

  function abandon(): void {
    halt(new Error('Cancelled'));
    // What this does not reach is swept by the server after a day.
    void calls.abort().catch(() => undefined);
  }

  return {
    snapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    finished: finished.promise,
    start: go,
    pause() {
      if (status !== 'uploading' && status !== 'waiting') return;
      pauseSending();
      become('paused');
    },
    resume: go,
    cancel() {
      abandon();
      finished.reject(new UploadCancelled('Cancelled'));
    },
    abandon,
    stop: () => halt(new Error('Stopped')),
  };
}
