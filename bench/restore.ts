import { join } from 'node:path';
import { deliveryRoutes, fileRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { type Benchmark, quantile } from './support/figure.ts';
import { writeRandomFile } from './support/random-file.ts';
import { companyAdmin, signIn } from './support/session.ts';
import { withTempFolder } from './support/temp-folder.ts';
import { uploadFile } from './support/upload.ts';

const size = 2 * 1024 ** 3;
const rounds = 20;
const name = 'bench.uap';
const limitMs = 1_000;

/** A version of 2 GiB, put back in turn with a small one. The storage that the tenant uses does not grow. */
export const benchmark: Benchmark = () =>
  withTempFolder(async (folder) => {
    const path = join(folder, name);
    await writeRandomFile(path, size);
    const product = await startProduct({ LOG_LEVEL: 'warn' });
    try {
      const { api } = await signIn(product.url, companyAdmin);
      const { id } = await uploadFile(api, { ...companyAdmin, name, path, size });
      const params = { pid: companyAdmin.partnerId, id };
      const small = Buffer.from('small');
      const body = { fileName: name, fileSize: small.length };
      const upload = await api.call(fileRoutes.updateFile, { params, body });
      if (!('uploadId' in upload)) throw new Error('No upload was opened');
      await fetch(upload.signedUrl, { method: 'PUT', body: small });
      await api.call(fileRoutes.completeUpload, { params: { uploadId: upload.uploadId }, body: {} });
      const used = async () =>
        (await api.call(fileRoutes.getStorageUse, { params: { pid: companyAdmin.partnerId } })).usedBytes;
      const before = await used();
      const samples: number[] = [];
      for (let version = 1; version <= rounds; version += 1) {
        const begun = performance.now();
        await api.call(deliveryRoutes.restoreVersion, { params: { ...params, version }, body: {} });
        samples.push(performance.now() - begun);
      }
      const grown = (await used()) - before;
      const p95 = quantile(samples, 0.95);
      return [
        {
          what: 'Restoration of a version of 2 GiB',
          target: 'p95 under 1 s, no byte copied',
          better: 'lower',
          measured: `${Math.round(p95)} ms`,
          value: p95,
          detail: `${rounds} restorations, median ${Math.round(quantile(samples, 0.5))} ms; ${grown} bytes more`,
          met: p95 < limitMs && grown === 0,
        },
      ];
    } finally {
      await product.remove();
    }
  });
