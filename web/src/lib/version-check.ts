import { ApiError, clientError } from '@portal/api-client';
import type { Language } from '@portal/contracts';
import { z } from 'zod';

/** How long, in milliseconds, one answer speaks for the requests that follow it. */
const freshness = 5000;
const changingFlag = 'version_changing_flag';
const errorFlag = 'version_check_error_flag';

const versionFile = z.object({ version: z.string() });

export interface VersionCheck {
  /** Runs before every call. Reloads the page when a new version is out; rejects when it can't tell. */
  beforeRequest(): Promise<void>;
  /** No reload until the returned function is called: a running upload must not die of a deployment. */
  holdReload(): () => void;
}

export interface VersionCheckOptions {
  readonly language: () => Language;
  readonly fetch?: typeof globalThis.fetch;
  readonly storage?: Storage;
  readonly reload?: () => void;
  readonly now?: () => number;
}

export function createVersionCheck({
  language,
  fetch = globalThis.fetch.bind(globalThis),
  storage = localStorage,
  reload = () => window.location.reload(),
  now = Date.now,
}: VersionCheckOptions): VersionCheck {
  let loaded: string | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let holds = 0;

  async function read(): Promise<string> {
    try {
      const response = await fetch(`/version.json?t=${now()}`, {
        cache: 'no-store',
        signal: AbortSignal.timeout(60_000),
      });
      if (!response.ok) throw new Error(`version.json: ${response.status}`);
      const { version } = versionFile.parse(await response.json());
      storage.removeItem(errorFlag);
      return version;
    } catch (cause) {
      storage.setItem(errorFlag, 'true');
      throw cause instanceof ApiError ? cause : clientError('NETWORK', language(), { cause });
    }
  }

  async function check(): Promise<void> {
    const version = await read();
    loaded ??= version;
    if (version !== loaded && holds === 0 && storage.getItem(changingFlag) === null) {
      storage.setItem(changingFlag, 'true');
      reload();
      // The page goes away: nobody is to act on an answer any more.
      await new Promise(() => undefined);
    } else if (holds === 0) storage.removeItem(changingFlag);
    checkedAt = now();
  }

  return {
    beforeRequest() {
      if (now() - checkedAt < freshness) return Promise.resolve();
      running ??= check().finally(() => {
        running = undefined;
      });
      return running;
    },
    holdReload() {
      holds += 1;
      let released = false;
      return () => {
        if (!released) holds -= 1;
        released = true;
      };
    },
  };
}
