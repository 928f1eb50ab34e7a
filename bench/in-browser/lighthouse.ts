import { freePort, startProduct } from '@portal/testing/product';
import lighthouse, { desktopConfig } from 'lighthouse';
import { type Benchmark, type Figure, median } from '../support/figure.ts';
import { openBrowserWithPort } from './open.ts';

/** One is enough to see that it works. */
const runs = Number(process.env['LIGHTHOUSE_RUNS'] ?? 5);

/** What each screen must reach; the figures of a phone are those of Lighthouse's own preset. */
const screens = [
  { name: 'sign-in', path: '/partner/login/?partner_code=1000', signedIn: false },
  { name: 'home', path: '/partner/menu', signedIn: true },
  { name: 'list of files', path: '/partner/files', signedIn: true },
  { name: 'page of a file', path: '/partner/files/detail?id=2', signedIn: true },
] as const;
const presets = [
  { name: 'desktop', config: desktopConfig, performance: 100 },
  { name: 'phone', config: undefined, performance: 96 },
] as const;
const longestBlockingMs = 200;

interface Scores {
  readonly performance: number;
  readonly accessibility: number;
  readonly bestPractices: number;
  readonly seo: number;
  readonly blockingMs: number;
}

/** Lighthouse on the first screens of a company; each figure is the median of its runs. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  const browser = await openBrowserWithPort(await freePort());
  try {
    const figures: Figure[] = [];
    for (const { name, path, signedIn } of screens) {
      if (signedIn && name === 'home') await browser.signIn(product.url);
      for (const preset of presets) {
        const all: Scores[] = [];
        for (let run = 0; run < runs; run += 1)
          all.push(await scoresOf(product.url + path, browser.port, preset.config));
        figures.push(figureOf(`${name}, ${preset.name}`, all, preset, signedIn));
      }
    }
    return figures;
  } finally {
    await browser.close();
    await product.remove();
  }
};

function figureOf(
  name: string,
  all: readonly Scores[],
  preset: (typeof presets)[number],
  signedIn: boolean,
): Figure {
  const of = (key: keyof Scores) => median(all.map((scores) => scores[key]));
  const performance = of('performance');
  const blockingMs = of('blockingMs');
  const isMet = [
    performance >= preset.performance,
    of('accessibility') === 100,
    of('bestPractices') === 100,
    signedIn || of('seo') === 100,
    blockingMs < longestBlockingMs,
  ].every(Boolean);
  return {
    what: `Lighthouse: ${name}`,
    target: `${preset.performance}, 100, 100${signedIn ? '' : ', SEO 100'}, ${longestBlockingMs} ms`,
    measured: `${performance}, ${of('accessibility')}, ${of('bestPractices')}${signedIn ? '' : `, SEO ${of('seo')}`}, ${Math.round(blockingMs)} ms`,
    value: performance,
    better: 'higher',
    detail: `performance, accessibility, best practices, total blocking time; median of ${runs}; performance of each: ${all
      .map((scores) => scores.performance)
      .join(', ')}`,
    met: isMet,
  };
}

async function scoresOf(
  url: string,
  port: number,
  config: typeof desktopConfig | undefined,
): Promise<Scores> {
  const result = await lighthouse(
    url,
    // The session stays; what the browser has cached does not.
    { port, logLevel: 'error', disableStorageReset: true, output: 'json' },
    config,
  );
  if (!result) throw new Error(`Lighthouse told nothing of ${url}`);
  const { audits, categories, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const score = (category: string) => Math.round((categories[category]?.score ?? Number.NaN) * 100);
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    blockingMs: audits['total-blocking-time']?.numericValue ?? Number.NaN,
  };
}
