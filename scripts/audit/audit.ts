import { lockedPackages } from './lock-file.ts';
import { type Advisory, advisory, advisoryIds } from './osv.ts';

export interface Audit {
  readonly lines: readonly string[];
  /** Something that runs in production has an advisory against it. */
  readonly failed: boolean;
}

/** Holds every locked package against the advisories of the database at `url`; where it does not answer, says so. */
export async function audit(lockFile: string, url: string): Promise<Audit> {
  const packages = lockedPackages(lockFile);
  const known = new Map<string, Advisory>();
  let ids: string[][];
  try {
    ids = await advisoryIds(url, packages);
    for (const id of new Set(ids.flat())) known.set(id, await advisory(url, id));
  } catch (error) {
    return { lines: [`not checked: ${url} cannot be asked (${reasonOf(error)})`], failed: false };
  }

  const lines: string[] = [];
  let failed = false;
  for (const [index, { name, production, version }] of packages.entries()) {
    for (const id of ids[index] ?? []) {
      const { aliases = [], summary = '' } = known.get(id) ?? {};
      const names = [id, ...aliases].join(', ');
      lines.push(`${production ? 'production' : 'development'}: ${name} ${version}: ${names}: ${summary}`);
      failed ||= production;
    }
  }
  const production = packages.filter((one) => one.production).length;
  const counts = `${production} packages of production, ${packages.length - production} of development`;
  return { lines: [...lines.sort().reverse(), `checked: ${counts}, ${lines.length} advisories`], failed };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What fetch throws says only that it failed.
  return error.cause instanceof Error ? error.cause.message : error.message;
}
