import { exportJobs } from '@portal/csv-export';
import { createWorker, type Job } from '@portal/service-kit';
import { noticeExport } from './data/notice-export.ts';
import { publishQueue } from './data/notice-repository.ts';
import type { JobDependencies } from './dependencies.ts';
import { publishNotice } from './use-cases/publish-notice.ts';

const second = 1_000;

/** The jobs of this service. */
export function jobs(deps: JobDependencies): readonly Job[] {
  const publisher = createWorker(deps, publishQueue, {
    atOnce: 2,
    retry: { firstMs: second, longestMs: 60 * second },
    work: async (task) => publishNotice(deps, task),
  });
  return [publisher.job, ...exportJobs(deps, [noticeExport])];
}
