import { applicationRoutes, fileRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { type Benchmark, median } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';
import { signIn, signInAdministrator } from './support/session.ts';

const tenants = 10_000;
const firstId = 1_000_001;
const rounds = 5;
const targetMs = 5_000;

/**
 * A publication to 10,000 tenants that are named: from the moment at which its bytes are acknowledged to the update check of a player that
 * brings it. Against it, the same with a file of one tenant, from its assignment on.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    await withDatabase(product, 'portal_file', async (client) => {
      await client.query(
        `INSERT INTO partners (partner_id, unit_id, name, name_folded, contract_rank, license_expired_on, uap_file_limit, file_public_flag)
         SELECT id, 1, 'Company ' || id, 'company ' || id, 'enterprise', NULL, 0, true
         FROM generate_series(${firstId}, ${firstId + tenants - 2}) id`,
      );
    });
    const admin = await signInAdministrator(product.url);
    const { api: player } = await signIn(product.url, { partnerCode: '1000', user: 'taro', device: 'bench' });
    const { api: company } = await signIn(product.url, { partnerCode: '1000', user: 'partner@example.com' });
    // The player's own company, and all others.
    const partnerIds = [1, ...Array.from({ length: tenants - 1 }, (_, index) => firstId + index)];
    const bytes = Buffer.from('bench');
    const cursor = async () =>
      (await player.call(fileRoutes.listDelivered, { query: { perPage: 100 } })).cursor;

    /** Milliseconds until an update check has the file. */
    async function untilDelivered(id: number, since: string): Promise<number> {
      const begun = performance.now();
      for (;;) {
        const { files } = await player.call(fileRoutes.listDelivered, { query: { since, perPage: 100 } });
        if (files.some((file) => file.id === id)) return performance.now() - begun;
      }
    }

    const publications: number[] = [];
    const assignments: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const file = { name: `bench ${round}`, fileName: `bench${round}.uap`, fileSize: bytes.length };
      const published = await admin.call(applicationRoutes.createApplication, {
        body: { ...file, saleType: 1, partnerIds },
      });
      await fetch(published.signedUrl, { method: 'PUT', body: bytes });
      const before = await cursor();
      await admin.call(fileRoutes.completeUpload, {
        params: { uploadId: published.uploadId },
        body: { parts: [] },
      });
      publications.push(await untilDelivered(published.id, before));

      const own = await company.call(fileRoutes.createFile, { params: { pid: 1 }, body: file });
      await fetch(own.signedUrl, { method: 'PUT', body: bytes });
      await company.call(fileRoutes.completeUpload, {
        params: { uploadId: own.uploadId },
        body: { parts: [] },
      });
      const without = await cursor();
      await company.call(fileRoutes.assignGroups, {
        params: { pid: 1, id: own.id },
        body: { groupIds: [0] },
      });
      assignments.push(await untilDelivered(own.id, without));
    }
    const longest = Math.max(...publications);
    return [
      {
        what: 'From a publication to 10,000 tenants to the update check that brings it',
        target: `${targetMs / 1000} s`,
        measured: `${Math.round(longest)} ms`,
        value: longest,
        better: 'lower',
        detail: `median ${Math.round(median(publications))} ms; of a file of one tenant ${Math.round(median(assignments))} ms`,
        met: longest <= targetMs,
      },
    ];
  } finally {
    await product.remove();
  }
};
