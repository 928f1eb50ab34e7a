import { type ContractRank, contractRanks } from '@portal/contracts';
import { z } from 'zod';

/** Bytes that a tenant of each rank may store; 0 is unlimited. */
export type StorageQuotas = Readonly<Record<ContractRank, number>>;

const gibibyte = 1024 ** 3;
const form = 'must be ranks with whole GiB, such as free=1,trial=5';

const storageQuotas = z.string().transform((value, context): StorageQuotas => {
  const quotas = Object.fromEntries(contractRanks.map((rank) => [rank, 0])) as Record<ContractRank, number>;
  for (const pair of value.split(',')) {
    const [name, size = '', ...more] = pair.split('=').map((part) => part.trim());
    const rank = contractRanks.find((known) => known === name);
    if (rank === undefined || more.length > 0 || !/^\d{1,6}$/.test(size)) {
      context.addIssue({ code: 'custom', message: form });
      return z.NEVER;
    }
    quotas[rank] = Number(size) * gibibyte;
  }
  return quotas;
});

export const config = z
  .object({
    /** What the address begins with under which calendar programs find the calendar. */
    PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
      .transform((value) => value.replace(/\/$/, ''))
      .default('http://localhost:8080'),
    /** Downloads of one version that begin in a second, where more devices of a tenant get it at once. */
    DOWNLOADS_PER_SECOND: z.coerce.number().int().min(1).max(1_000_000).default(500),
    /** GiB that a tenant may store, by contract rank: `free=1,trial=5`. A rank that is not named, or has 0, has no quota. */
    STORAGE_QUOTAS: storageQuotas.optional(),
    /** The address below which the templates of packages are; absent: the bundled ones. */
    TEMPLATES_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
      .transform((value) => value.replace(/\/$/, ''))
      .optional(),
  })
  .transform((env) => ({
    downloadsPerSecond: env.DOWNLOADS_PER_SECOND,
    publicUrl: env.PUBLIC_URL,
    storageQuotas: env.STORAGE_QUOTAS,
    templatesUrl: env.TEMPLATES_URL,
  }));
export type Config = z.output<typeof config>;
