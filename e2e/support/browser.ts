import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Language } from '@portal/contracts';
import { type Browser, chromium, type Page } from 'playwright-core';

const installed = [
  process.env.CHROME_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const flags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** A page of a spec is gone before V8's optimising compilers have earned what they take, a tenth of the browser's time. */
const inShortVisits: readonly string[] = ['--js-flags=--no-maglev,--no-opt'];

interface Program {
  readonly executablePath: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The Chromium or Chrome of the machine, else the one inside the npm package. */
export async function installedChromium(): Promise<Program> {
  const executablePath = installed.find((path) => path && existsSync(path));
  return executablePath ? { executablePath, env: process.env } : packedChromium();
}

let ofThisProcess: Promise<Browser> | undefined;

/**
 * The browser of all specs that run in this process, which it ends with; each closes the pages that it has opened. In the place of one
 * that broke the next spec has another.
 */
export function sharedBrowser(): Promise<Browser> {
  ofThisProcess ??= launchForThisProcess();
  return ofThisProcess;
}

async function launchForThisProcess(): Promise<Browser> {
  const forget = () => {
    ofThisProcess = undefined;
  };
  try {
    const browser = await launchBrowser(inShortVisits);
    browser.on('disconnected', forget);
    return browser;
  } catch (error) {
    forget();
    throw error;
  }
}

/** For the end of a spec: one that failed may have left some open. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ ...(await installedChromium()), args: [...flags, ...more] });
}

/**
 * Without the arguments that the package recommends: they are for machines that this is not, and switch off what the
 * product relies on. A machine with nothing but Node lacks libraries and fonts too; they come from the same package.
 */
async function packedChromium(): Promise<Program> {
  const executablePath = join(tmpdir(), 'chromium');
  if (!existsSync(executablePath)) await unpack();
  return {
    executablePath,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(tmpdir(), 'al2023', 'lib'),
      FONTCONFIG_PATH: join(tmpdir(), 'fonts'),
    },
  };
}

/**
 * In a folder of its own, from which everything gets to where the package would have put it, the program last: specs begin in several
 * processes at once, and a program that another process still writes cannot be started, nor can one that a killed process left half. What
 * is there already stays: a browser whose own file is replaced ends.
 */
async function unpack(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-chromium-'));
  const program = 'chromium';
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'unpack-chromium.ts')], {
    env: { ...process.env, TMPDIR: folder },
  });
  const entries = await readdir(folder, { withFileTypes: true });
  const programLast = entries.toSorted((a, b) => Number(a.name === program) - Number(b.name === program));
  for (const entry of programLast) {
    const place = entry.isDirectory() ? rename : link;
    try {
      await place(join(folder, entry.name), join(tmpdir(), entry.name));
    } catch (error) {
      // Another process was first.
      if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  await rm(folder, { recursive: true, force: true });
}

export interface PageOptions {
  /** What the person has chosen before; without it the product's default. */
  language?: Language;
  width?: number;
  height?: number;
  dark?: boolean;
  /** The person has asked the system for little motion. */
  reducedMotion?: boolean;
}

export interface Visit {
  readonly page: Page;
  /** What the console has shown of errors, and what the Content-Security-Policy has refused; nothing on a healthy page. */
  readonly errors: readonly string[];
}

/** A page in a browser profile of its own: no session and no preferences but those of `options`. */
export async function openPage(browser: Browser, baseURL: string, options: PageOptions = {}): Promise<Visit> {
  const { dark = false, height = 900, language, reducedMotion = false, width = 1280 } = options;
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
  });
  if (language) {
    await context.addInitScript((chosen) => {
      if (localStorage.getItem('portal.language') === null) localStorage.setItem('portal.language', chosen);
    }, language);
  }
  // Browsers report what the policy has refused, but not always as an error of the console.
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ blockedURI, sourceFile, violatedDirective }) =>
      console.error(`Content-Security-Policy: ${violatedDirective} ${blockedURI} in ${sourceFile}`),
    );
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors: string[] = [];
  page.on('console', (message) => {
    // Of a resource that failed, the text says everything but which one it was.
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return { page, errors };
}
