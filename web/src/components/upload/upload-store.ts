import type { ApiError } from '@portal/api-client';
import { reportActivity } from '../../lib/activity.ts';
import { asApiError } from '../../lib/api.ts';
import { createUploader, type UploadCalls, type Uploader } from './uploader.ts';

/** What is to be uploaded, and what follows. */
export interface UploadTask {
  readonly uploadId: string;
  readonly fileId: number;
  /** What the record is called. */
  readonly name: string;
  /** The bytes; nothing where they are all there and only what follows is to be done. */
  readonly bytes:
    | {
        readonly file: File;
        readonly partSize: number;
        readonly traceId: string;
        readonly storedBytes: number;
      }
    | undefined;
  readonly calls: UploadCalls;
  /** Asks, once the bytes are complete, for the request that they became where two people decide. */
  readonly requestOf?: () => Promise<number | undefined>;
  /** Runs once the bytes are complete, such as the assignment of groups; tells the request that it became. */
  readonly follow: (() => Promise<number | undefined>) | undefined;
  /** Told when it is complete, has failed or was taken back. */
  onSettled(outcome: 'done' | 'failed' | 'cancelled'): void;
}

/**
 * queued: waits for others; sending: its bytes are under way, or being verified; paused; following: all bytes are there, and what
 * follows is under way; unfollowed: that failed; failed: the bytes could not be sent.
 */
export type UploadStage = 'queued' | 'sending' | 'paused' | 'following' | 'unfollowed' | 'failed' | 'done';

/** One upload. It is replaced when its stage changes, and not by progress: that is the uploader's. */
export interface UploadItem {
  readonly task: UploadTask;
  readonly stage: UploadStage;
  /** Once it has been begun. */
  readonly uploader: Uploader | undefined;
  /** What is stored of it in bytes, as far as was known when it stopped last. */
  readonly storedBytes: number;
  /** Why it failed; undefined where it only took too long. */
  readonly failure: ApiError | undefined;
  /** Of one that is done: what waits for another administrator. */
  readonly approvalId?: number | undefined;
}

export interface UploadStore {
  items(): readonly UploadItem[];
  subscribe(listener: () => void): () => void;
  /** Begins it as soon as there is room. One that is there already stays as it is, but for one that has ended. */
  add(task: UploadTask): void;
  pause(uploadId: string): void;
  /** Goes on after a pause or a failure. */
  resume(uploadId: string): void;
  /** Takes it back, also from the server; where that is too late, it goes on. @returns whether it was taken back */
  cancel(uploadId: string): Promise<boolean>;
  /** Takes one that has ended off the list. */
  dismiss(uploadId: string): void;
  /** Whether leaving the page would interrupt something. */
  isBusy(): boolean;
  /** Stops all, and leaves them on the server as they are. */
  stop(): void;
}

/** So many are sent at a time; each sends several parts. */
const parallel = 2;
/** Milliseconds between two signs of life of a session whose user only waits. */
const signEvery = 30_000;

const busy: readonly UploadStage[] = ['queued', 'sending', 'paused', 'following'];

export function createUploadStore(): UploadStore {
  const listeners = new Set<() => void>();
  let items: readonly UploadItem[] = [];
  let signedAt = 0;

  const find = (uploadId: string) => items.find(({ task }) => task.uploadId === uploadId);

  function publish(next: readonly UploadItem[]): void {
    items = next;
    for (const listener of listeners) listener();
  }

  function change(uploadId: string, changes: Partial<UploadItem>): void {
    publish(items.map((item) => (item.task.uploadId === uploadId ? { ...item, ...changes } : item)));
  }

  function remove(uploadId: string): void {
    publish(items.filter(({ task }) => task.uploadId !== uploadId));
    pump();
  }

  /** Begins what waits, as far as there is room. */
  function pump(): void {
    for (;;) {
      const sending = items.filter(({ stage }) => stage === 'sending').length;
      const next = items.find(({ stage }) => stage === 'queued');
      if (!next || sending >= parallel) return;
      send(next);
    }
  }

  function send({ storedBytes, task, uploader }: UploadItem): void {
    const { bytes, calls, uploadId } = task;
    if (!bytes) {
      void follow(task);
      return;
    }
    if (uploader) {
      change(uploadId, { stage: 'sending', failure: undefined });
      uploader.resume();
      return;
    }
    const { file, partSize, traceId } = bytes;
    const begun = createUploader({ file, partSize, traceId, storedBytes, calls });
    begun.subscribe(() => {
      const { status, timedOut } = begun.snapshot();
      if (timedOut) fail(task, begun, undefined);
      // Who waits for an upload is there.
      if (status !== 'uploading' || performance.now() - signedAt < signEvery) return;
      signedAt = performance.now();
      reportActivity();
    });
    change(uploadId, { stage: 'sending', failure: undefined, uploader: begun });
    begun.start();
    begun.finished.then(
      () => void follow(task),
      (error: unknown) => fail(task, begun, asApiError(error)),
    );
  }

  function fail(
    { onSettled, uploadId }: UploadTask,
    uploader: Uploader,
    failure: ApiError | undefined,
  ): void {
    const item = find(uploadId);
    if (!item || item.uploader !== uploader) return;
    // One that took too long keeps its uploader, and goes on with it; another needs a new one.
    const { sent } = uploader.snapshot();
    change(uploadId, {
      stage: 'failed',
      failure,
      storedBytes: sent,
      ...(failure && { uploader: undefined }),
    });
    onSettled('failed');
    pump();
  }

  async function follow({ follow, onSettled, requestOf, uploadId }: UploadTask): Promise<void> {
    if (!find(uploadId)) return;
    change(uploadId, { stage: 'following', failure: undefined });
    pump();
    let approvalId: number | undefined;
    try {
      // The bytes are there, whatever becomes of the question.
      approvalId = (await requestOf?.().catch(() => undefined)) ?? (await follow?.());
    } catch (error) {
      change(uploadId, { stage: 'unfollowed', failure: asApiError(error) });
      onSettled('failed');
      return;
    }
    change(uploadId, { stage: 'done', approvalId });
    onSettled('done');
  }

  function resume(uploadId: string): void {
    const item = find(uploadId);
    if (item?.stage === 'unfollowed') void follow(item.task);
    if (item?.stage !== 'paused' && item?.stage !== 'failed') return;
    change(uploadId, { stage: 'queued', failure: undefined });
    pump();
  }

  return {
    items: () => items,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(task) {
      const { uploadId } = task;
      const before = find(uploadId);
      if (before && busy.includes(before.stage)) return;
      const item: UploadItem = {
        task,
        stage: 'queued',
        uploader: undefined,
        storedBytes: task.bytes?.storedBytes ?? 0,
        failure: undefined,
      };
      publish([...items.filter((one) => one !== before), item]);
      pump();
    },
    pause(uploadId) {
      const item = find(uploadId);
      if (item?.stage !== 'queued' && item?.stage !== 'sending') return;
      item.uploader?.pause();
      // What is being verified goes on.
      if (item.uploader?.snapshot().status === 'finishing') return;
      change(uploadId, { stage: 'paused' });
      pump();
    },
    resume,
    async cancel(uploadId) {
      const item = find(uploadId);
      if (!item) return true;
      item.uploader?.stop();
      change(uploadId, { stage: 'paused' });
      try {
        await item.task.calls.abort();
      } catch (error) {
        // The server has all of it.
        if (asApiError(error).code === 'E40034') {
          resume(uploadId);
          return false;
        }
        // What was not reached is swept by the server after a day.
      }
      item.task.onSettled('cancelled');
      remove(uploadId);
      return true;
    },
    dismiss(uploadId) {
      const item = find(uploadId);
      if (item && !busy.includes(item.stage)) remove(uploadId);
    },
    isBusy: () => items.some(({ stage }) => busy.includes(stage)),
    stop() {
      for (const { uploader } of items) uploader?.stop();
      publish([]);
    },
  };
}
