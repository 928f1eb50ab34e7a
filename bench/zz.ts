import { setTimeout as sleep } from 'node:timers/promises';
import { fileRoutes, userCsvColumns, userRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { withDatabase } from './support/product-database.ts';
import { signIn } from './support/session.ts';
const rows = Number(process.env['ROWS'] ?? 20000);
const product = await startProduct({ LOG_LEVEL: 'warn' });
const { api } = await signIn(product.url, { partnerId: 2, partnerCode: '2000', user: 'second@example.com' });
const params = { pid: 2 };
const email = process.env['EMAIL'] === '1';
const lines = Array.from({ length: rows }, (_, i) => email ? `P${i},p${i}@example.com,,,,3,0` : `P${i},,login-${i},Passw0rd-demo,,3,0`).map((l) => email ? l : l);
const opened = await api.call(fileRoutes.createUserImport, { params, body: { fileName: 'users.csv' } });
await fetch(opened.signedUrl, { method: 'PUT', body: [userCsvColumns.join(), ...lines, ''].join('\r\n') });
const begun = performance.now();
await api.call(fileRoutes.completeUpload, { params: { uploadId: opened.uploadId }, body: {} });
for (;;) {
  const s = await api.call(userRoutes.getUserImport, { params, query: { batchProcessId: opened.batchProcessId } });
  if (s.status !== 'processing') { console.log(s.status, s.createCount, s.lineErrors?.slice(0, 2), ((performance.now() - begun) / 1000).toFixed(1)); break; }
  await sleep(100);
}
const t0 = performance.now();
const left = new Set(['tenant', 'file', 'identity', 'batch', 'mail']);
while (left.size) {
  for (const s of left) {
    const n = await withDatabase(product, `portal_${s}`, async (c) => (await c.query("SELECT count(*)::int n FROM messaging.inbox WHERE status='live'")).rows[0].n);
    const o = s === 'tenant' || s==='file' ? 0 : 0;
    const done = s === 'tenant' ? await withDatabase(product, 'portal_tenant', async (c) => (await c.query("SELECT count FROM licence_use WHERE partner_id=2 AND kind='user'")).rows[0]?.count ?? 0) : -1;
    if (n === 0 && (s !== 'tenant' || done >= rows) && performance.now() - t0 > 3000 && (s !== 'mail' || left.size === 1)) { left.delete(s); console.log(s, 'through after', ((performance.now() - t0) / 1000).toFixed(1)); }
    else if (process.env['TRACE']) console.log(s, n, done);
  }
  await sleep(500);
}
await product.remove();
