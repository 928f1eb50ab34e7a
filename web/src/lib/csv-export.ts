import { ApiError } from '@portal/api-client';
import { type batchRoutes, limits, type RouteReply } from '@portal/contracts';
import { useEffect, useRef, useState } from 'react';
import { isTransient } from './api.ts';
import { downloadFrom } from './download.ts';

type Status = RouteReply<typeof batchRoutes.getUsersCsv>;

/** The calls of one kind of export. */
export interface CsvExportCalls {
  create(): Promise<{ readonly id: number }>;
  status(batchId: number, signal: AbortSignal): Promise<Status>;
  url(batchId: number): Promise<{ readonly signedUrl: string }>;
  cancel(batchId: number): Promise<unknown>;
}

export type CsvExportStep = 'idle' | 'gettingBatchId' | 'gettingStatus' | 'gettingS3Info' | 'downloadingCsv';

export interface CsvExportState {
  readonly step: CsvExportStep;
  /** From 0 to 1. */
  readonly progress: number;
  readonly rowCount: number;
}

/** Why an export came to nothing, beside what the server said of a call. */
export type CsvExportFailure = 'csvFailed' | 'csvBatchIdFailed' | 'csvUrlFailed';

export interface CsvExport extends CsvExportState {
  /** Does nothing while one is under way. `create` asks for another form of the file than `calls` does. */
  start(create?: CsvExportCalls['create']): void;
  cancel(): void;
}

/** What the open screens have waited for, until they were left. */
const awaited = new Set<number>();

/** A screen of this tab downloads the export when it is ready, or has done so. */
export const isAwaited = (batchId: number): boolean => awaited.has(batchId);

/** One that is under way. */
interface Running {
  readonly stop: AbortController;
  batchId: number | undefined;
  /** By the person, who may not have waited until the server said which export it is. */
  isCancelled: boolean;
}

const idle: CsvExportState = { step: 'idle', progress: 0, rowCount: 0 };

/** The server's answer could not be parsed, for example that of a newer version. */
const isUnknown = (error: unknown) => error instanceof ApiError && error.code === 'INVALID_REPLY';

/**
 * An export from its request to the download. Under `name` the tab remembers the one that is under way, so that it goes on
 * when its screen is opened again.
 */
export function useCsvExport(
  name: string,
  calls: CsvExportCalls,
  told: {
    onComplete(rowCount: number): void;
    onFailed(failure: CsvExportFailure | ApiError): void;
  },
): CsvExport {
  const key = `csv-export:${name}`;
  const [state, setState] = useState(idle);
  const latest = useRef({ calls, told });
  latest.current = { calls, told };
  const running = useRef<Running>(undefined);

  function end(): void {
    sessionStorage.removeItem(key);
    running.current = undefined;
    setState(idle);
  }

  async function run(known: number | undefined, create = latest.current.calls.create): Promise<void> {
    const own: Running = { stop: new AbortController(), batchId: known, isCancelled: false };
    const { signal } = own.stop;
    running.current = own;
    try {
      setState({ ...idle, step: known === undefined ? 'gettingBatchId' : 'gettingStatus' });
      const batchId = known ?? (await createdBy(create));
      if (own.isCancelled) cancelOnServer(batchId);
      if (signal.aborted) return;
      own.batchId = batchId;
      awaited.add(batchId);
      signal.addEventListener('abort', () => awaited.delete(batchId));
      sessionStorage.setItem(key, String(batchId));
      const { rowCount } = await untilComplete(batchId, signal);
      setState({ step: 'gettingS3Info', progress: 1, rowCount });
      const address = await addressOf(batchId, latest.current.calls);
      if (signal.aborted) return;
      setState({ step: 'downloadingCsv', progress: 1, rowCount });
      downloadFrom(address);
      end();
      latest.current.told.onComplete(rowCount);
    } catch (error) {
      if (signal.aborted) return;
      end();
      // An earlier export that no longer exists or is too old is not reported.
      if (known !== undefined && error instanceof ApiError && error.status === 404) return;
      if (error instanceof ApiError) latest.current.told.onFailed(error);
      else if (error instanceof ExportError) latest.current.told.onFailed(error.failure);
      else throw error;
    }
  }

  /** A cancelled export is not reported. */
  function cancelOnServer(batchId: number): void {
    latest.current.calls.cancel(batchId).catch(() => undefined);
  }

  async function untilComplete(batchId: number, signal: AbortSignal): Promise<Status> {
    for (;;) {
      const status = await latest.current.calls.status(batchId, signal).catch((error: unknown) => {
        if (!isTransient(error) && !isUnknown(error)) throw error;
      });
      if (status?.status === 'failed') throw new ExportError('csvFailed');
      if (status?.status === 'complete') return status;
      if (status) setState({ step: 'gettingStatus', progress: status.progress, rowCount: status.rowCount });
      await delay(limits.exportPollDelay, signal);
    }
  }

  useEffect(() => {
    const under = Number(sessionStorage.getItem(key));
    if (under > 0) void run(under);
    return () => running.current?.stop.abort();
  }, [key]);

  return {
    ...state,
    start(create) {
      if (!running.current) void run(undefined, create);
    },
    cancel() {
      const own = running.current;
      end();
      if (!own) return;
      own.isCancelled = true;
      own.stop.abort();
      if (own.batchId !== undefined) cancelOnServer(own.batchId);
    },
  };
}

class ExportError extends Error {
  readonly failure: CsvExportFailure;

  constructor(failure: CsvExportFailure) {
    super(failure);
    this.failure = failure;
  }
}

async function createdBy(create: CsvExportCalls['create']): Promise<number> {
  try {
    return (await create()).id;
  } catch (error) {
    throw isUnknown(error) ? new ExportError('csvBatchIdFailed') : error;
  }
}

/** The address of the file, once it is known to lead there. */
async function addressOf(batchId: number, calls: CsvExportCalls): Promise<string> {
  const { signedUrl } = await calls.url(batchId).catch((error: unknown) => {
    throw isUnknown(error) ? new ExportError('csvUrlFailed') : error;
  });
  const seen = new AbortController();
  const range = { headers: { range: 'bytes=0-0' }, signal: seen.signal };
  const first = await fetch(signedUrl, range).catch(() => undefined);
  seen.abort();
  if (!first?.ok) throw new ExportError('csvUrlFailed');
  return signedUrl;
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException('Stopped', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
