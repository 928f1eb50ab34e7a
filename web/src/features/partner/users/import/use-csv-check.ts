import { useEffect, useState } from 'react';
import type { UserCsvReport } from './check-user-csv.ts';
import type { CheckMessage } from './check-user-csv.worker.ts';

export interface CsvCheck {
  /** From 0 to 1. */
  readonly progress: number;
  /** Undefined while it goes on; null when the file could not be looked at. */
  readonly report: UserCsvReport | null | undefined;
}

const begun: CsvCheck = { progress: 0, report: undefined };

/** Checks a file beside the page, which stays alive however large it is. */
export function useCsvCheck(file: File | undefined): CsvCheck {
  const [check, setCheck] = useState<CsvCheck>(begun);
  useEffect(() => {
    setCheck(begun);
    if (!file) return;
    const worker = new Worker(new URL('./check-user-csv.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<CheckMessage>) =>
      setCheck((before) =>
        'report' in data ? { progress: 1, report: data.report } : { ...before, ...data },
      );
    worker.onerror = () => setCheck({ progress: 1, report: null });
    worker.postMessage(file);
    return () => worker.terminate();
  }, [file]);
  return check;
}
