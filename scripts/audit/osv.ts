import { z } from 'zod';

/** The database of known vulnerabilities: https://google.github.io/osv.dev/api/. */

const perRequest = 1000;
const requestWithinMs = 10_000;

const batchReply = z.object({
  results: z.array(
    z.object({
      vulns: z.array(z.object({ id: z.string() })).optional(),
      next_page_token: z.string().optional(),
    }),
  ),
});
const advisoryReply = z.object({
  id: z.string(),
  summary: z.string().optional(),
  aliases: z.array(z.string()).optional(),
});
export type Advisory = z.infer<typeof advisoryReply>;

interface Version {
  readonly name: string;
  readonly version: string;
}

/** @returns the ids of the advisories against each version, in the order of the versions */
export async function advisoryIds(url: string, versions: readonly Version[]): Promise<string[][]> {
  const found = versions.map((): string[] => []);
  let open = versions.map(({ name, version }, index) => ({
    index,
    query: { package: { name, ecosystem: 'npm' }, version, page_token: undefined as string | undefined },
  }));
  while (open.length > 0) {
    const asked = open.splice(0, perRequest);
    const body = JSON.stringify({ queries: asked.map(({ query }) => query) });
    const { results } = batchReply.parse(await request(`${url}/v1/querybatch`, { method: 'POST', body }));
    if (results.length !== asked.length) throw new Error('The database left out answers');
    asked.forEach(({ index, query }, place) => {
      const { next_page_token: token, vulns = [] } = results[place] ?? {};
      found[index]?.push(...vulns.map(({ id }) => id));
      if (token !== undefined) open = [...open, { index, query: { ...query, page_token: token } }];
    });
  }
  return found;
}

export async function advisory(url: string, id: string): Promise<Advisory> {
  return advisoryReply.parse(await request(`${url}/v1/vulns/${encodeURIComponent(id)}`));
}

async function request(url: string, init: RequestInit = {}): Promise<unknown> {
  const reply = await fetch(url, {
    ...init,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(requestWithinMs),
  });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
  return reply.json();
}
