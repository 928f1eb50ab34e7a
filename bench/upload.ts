import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { type Benchmark, median, megabytes, percent } from './support/figure.ts';
import type { Probe } from './support/probe.ts';
import { memoryLimit, watchMemory } from './support/processes.ts';
import { writeRandomFile } from './support/random-file.ts';
import { companyAdmin, signIn } from './support/session.ts';
import { withTempFolder } from './support/temp-folder.ts';
import { uploadFile } from './support/upload.ts';

const run = promisify(execFile);

const size = 2 * 1024 ** 3;
const rounds = 3;
const leastShare = 0.8;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/**
 * A file of the largest size in parts over HTTP, against `cp` of it on the same disk and `sync` of the copy: both end with the bytes
 * on the disk. The time ends when the answer to the completion is there, so it includes the SHA-256.
 */
export const benchmark: Benchmark = () =>
  withTempFolder(async (folder) => {
    const path = join(folder, 'bench.uap');
    const copy = join(folder, 'copy');
    await writeRandomFile(path, size);
    const product = await startProduct({ LOG_LEVEL: 'warn' });
    try {
      const { api } = await signIn(product.url, companyAdmin);
      const times = {
        stored: [] as number[],
        ours: [] as number[],
        copy: [] as number[],
        synced: [] as number[],
      };
      const memory = await watchMemory(product.pid);
      for (let round = 0; round < rounds; round += 1) {
        const uploaded = await uploadFile(api, { ...companyAdmin, name: `bench-${round}.uap`, path, size });
        times.stored.push(uploaded.storedMs);
        times.ours.push(uploaded.completedMs);
        await api.call(fileRoutes.deleteFile, { params: { pid: companyAdmin.partnerId, id: uploaded.id } });
        times.copy.push(await timeOf('cp', ['--reflink=never', path, copy]));
        times.synced.push((times.copy.at(-1) ?? 0) + (await timeOf('sync', [copy])));
        await rm(copy);
      }
      const risen = memory.stop();
      const ratio = median(times.synced) / median(times.ours);
      const copied = median(times.copy) / median(times.ours);
      return [
        {
          what: 'Upload of 2 GiB in parts, against `cp` and `sync` on the same disk',
          target: percent(leastShare),
          measured: percent(ratio),
          value: ratio,
          better: 'higher',
          detail:
            `${seconds(median(times.ours))} with SHA-256, all on the disk (stored after ${seconds(median(times.stored))}); ` +
            `cp and sync ${seconds(median(times.synced))}; cp alone ${seconds(median(times.copy))}: ${percent(copied)} of that`,
          met: ratio >= leastShare,
        },
        {
          what: 'Memory above idle while uploading',
          target: '200 MB',
          measured: megabytes(risen),
          value: risen,
          better: 'lower',
          detail: `peak resident memory of the product over ${rounds} uploads`,
          met: risen <= memoryLimit,
        },
      ];
    } finally {
      await product.remove();
    }
  });

/** How long a file takes that is sent in one request, from its registration until it is complete. */
export const probe: Probe = {
  what: 'Upload of 200 MB in one request; seconds',
  better: 'lower',
  async prepare(product) {
    const { api } = await signIn(product.url, companyAdmin);
    const params = { pid: companyAdmin.partnerId };
    const bytes = randomBytes(200_000_000);
    return async () => {
      const begun = performance.now();
      const body = { name: 'Bench', fileName: 'at-once.uap', fileSize: bytes.length };
      const { id, signedUrl, uploadId } = await api.call(fileRoutes.createFile, { params, body });
      const stored = await fetch(signedUrl, { method: 'PUT', body: bytes });
      if (!stored.ok) throw new Error(`The upload was refused: ${stored.status}`);
      await api.call(fileRoutes.completeUpload, { params: { uploadId }, body: {} });
      const ms = performance.now() - begun;
      await api.call(fileRoutes.deleteFile, { params: { ...params, id } });
      return ms / 1000;
    };
  },
};

async function timeOf(program: string, args: readonly string[]): Promise<number> {
  const begun = performance.now();
  await run(program, args);
  return performance.now() - begun;
}
