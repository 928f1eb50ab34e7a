import { ssoTokenRoutes } from '@portal/contracts';
import { type Product, startProduct } from '@portal/testing/product';
import { type Benchmark, type Figure, percent } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';

const target = 0.9;
/** Of each kind, one by one by each of the callers. */
const created = 10_000;
const callers = 4;
/** In turns, so that what else the machine does is shared. */
const rounds = 5;
const partnerId = companyAdmin.partnerId;

/** Users that a provisioning client creates, against those of the portal's own call. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    await withDatabase(product, 'portal_user', async (client) => {
      await client.query('UPDATE partners SET license_count = 3000000 WHERE partner_id = $1', [partnerId]);
    });
    const { api, token: portal } = await signIn(product.url, companyAdmin);
    const { token } = await api.call(ssoTokenRoutes.createProvisioningToken, {
      params: { pid: partnerId },
      body: { name: 'Bench' },
    });
    return [await measureCreation(product, { portal, scim: token })];
  } finally {
    await product.remove();
  }
};

async function measureCreation(
  { url }: Product,
  tokens: { readonly portal: string; readonly scim: string },
): Promise<Figure> {
  let next = 0;
  const make = async (path: string, token: string, body: object) => {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    await reply.arrayBuffer();
  };
  const kinds = {
    portal: async () => {
      next += 1;
      const body = { name: `Person ${next}`, email: `made-${next}@example.com` };
      await make(`/v1/partner/partners/${partnerId}/users`, tokens.portal, body);
    },
    scim: async () => {
      next += 1;
      const body = {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: `made-${next}@example.com`,
        displayName: `Person ${next}`,
        externalId: `external-made-${next}`,
        active: true,
      };
      await make(`/scim/v2/${partnerId}/Users`, tokens.scim, body);
    },
  };
  const seconds = { portal: 0, scim: 0 };
  for (const kind of ['portal', 'scim'] as const) await byCallers(200, kinds[kind]);
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of round % 2 === 0 ? (['portal', 'scim'] as const) : (['scim', 'portal'] as const)) {
      const begun = performance.now();
      await byCallers(created / rounds, kinds[kind]);
      seconds[kind] += (performance.now() - begun) / 1000;
    }
  }
  const ratio = seconds.portal / seconds.scim;
  return {
    what: `${created.toLocaleString('en')} users by SCIM, one by one by ${callers} callers, against POST users`,
    target: `${percent(target)} of its rate`,
    measured: percent(ratio),
    value: ratio,
    better: 'higher',
    detail: `${Math.round(created / seconds.scim)} and ${Math.round(created / seconds.portal)} users/s`,
    met: ratio >= target,
  };
}

async function byCallers(count: number, call: () => Promise<void>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left > 0) {
        left -= 1;
        await call();
      }
    }),
  );
}
