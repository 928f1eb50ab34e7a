import '../../../../lib/zod-without-eval.ts';
import { checkUserCsv, type UserCsvReport } from './check-user-csv.ts';

/** What the worker tells: how far it is, and at last what it found; null when it could not look at all. */
export type CheckMessage = { readonly progress: number } | { readonly report: UserCsvReport | null };

const tell = (message: CheckMessage) => postMessage(message);
/** Milliseconds between two words of progress. */
const every = 100;
let toldAt = 0;

addEventListener('message', ({ data }: MessageEvent<File>) => {
  checkUserCsv(data, (progress) => {
    const now = performance.now();
    if (now - toldAt < every) return;
    toldAt = now;
    tell({ progress });
  }).then(
    (report) => tell({ report }),
    () => tell({ report: null }),
  );
});
