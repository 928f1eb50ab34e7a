import { setTimeout as sleep } from 'node:timers/promises';
import type { batchRoutes, RouteReply } from '@portal/contracts';

const pollMs = 100;

export interface Exported {
  readonly rowCount: number;
  /** Rows a second, from the request until the file is there. */
  readonly rate: number;
}

/** Asks for an export and waits for its file. */
export async function exportRows(calls: {
  create(): Promise<{ id: number }>;
  status(batchId: number): Promise<RouteReply<typeof batchRoutes.getUsersCsv>>;
}): Promise<Exported> {
  const begun = performance.now();
  const { id } = await calls.create();
  for (;;) {
    const { rowCount, status } = await calls.status(id);
    if (status === 'failed') throw new Error('The export failed');
    if (status === 'complete') return { rowCount, rate: (rowCount / (performance.now() - begun)) * 1_000 };
    await sleep(pollMs);
  }
}
