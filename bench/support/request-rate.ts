import autocannon from 'autocannon';

const connections = 32;

/** Requests a second over some seconds. @throws Error when one of them fails */
export async function requestRate(
  url: string,
  headers: Record<string, string>,
  seconds: number,
): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx + result.errors} requests failed`);
  }
  return result.requests.average;
}

/** The rates of two that take turns, so that what else the machine does meets both. */
export async function inTurns(
  ours: () => Promise<number>,
  raw: () => Promise<number>,
  rounds: number,
): Promise<{ ours: number[]; raw: number[] }> {
  const rates = { ours: [] as number[], raw: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    rates.ours.push(await ours());
    rates.raw.push(await raw());
  }
  return rates;
}
