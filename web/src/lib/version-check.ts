import { z } from 'zod';

/** Set when the page was reloaded for another version. */
const changingFlag = 'version_changing_flag';
/** Set while it can't be told which version is out. */
const errorFlag = 'version_check_error_flag';
/**
 * How long, in milliseconds, a page that was reloaded is not reloaded again: while a new version is rolled out, servers of both
 * versions answer.
 */
const rollout = 60_000;
/** How long, in milliseconds, a page waits for the answer of a call, which names the version too, before it asks for it. */
const patience = 10_000;

const versionFile = z.object({ version: z.string() });

export interface VersionCheck {
  /** Runs before every call. Reloads the page when the server has told of another version. */
  beforeRequest(): Promise<void>;
  /** Told of every answer, whose header names the version of the server. */
  onAnswer(headers: Headers): void;
  /** Told of every call without an answer: whether the server is there at all is looked up. */
  onSilence(): Promise<void>;
  /** Prevents reloads until the returned function is called, so that a deployment does not end an upload. */
  holdReload(): () => void;
}

export interface VersionCheckOptions {
  /** The version that the page was built as; undefined while a development server serves it. */
  readonly built?: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
  readonly storage?: Storage;
  readonly reload?: () => void;
  readonly now?: () => number;
}

/** What the build has written into the page. */
function builtVersion(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content;
}

/**
 * Compares the version of every answer with the page's own. The reload comes before the next call: what the answer was to
 * is shown first, and no change is made twice.
 */
export function createVersionCheck({
  built = builtVersion(),
  fetch = globalThis.fetch.bind(globalThis),
  storage = localStorage,
  reload = () => window.location.reload(),
  now = Date.now,
}: VersionCheckOptions = {}): VersionCheck {
  let told = built;
  let holds = 0;

  const reloadedAt = () => Number(storage.getItem(changingFlag) ?? Number.NEGATIVE_INFINITY);

  async function look(): Promise<void> {
    const before = told;
    try {
      const response = await fetch(`/version.json?t=${now()}`, {
        cache: 'no-store',
        signal: AbortSignal.timeout(60_000),
      });
      if (!response.ok) throw new Error(`version.json: ${response.status}`);
      const { version } = versionFile.parse(await response.json());
      // What an answer has told meanwhile is newer.
      if (told === before) told = version;
      storage.removeItem(errorFlag);
    } catch {
      storage.setItem(errorFlag, 'true');
    }
  }

  let isTold = false;
  if (built !== undefined) {
    setTimeout(() => {
      if (!isTold) void look();
    }, patience);
  }

  return {
    async beforeRequest() {
      if (built === undefined || told === undefined) return;
      if (told === built) {
        if (now() - reloadedAt() >= rollout) storage.removeItem(changingFlag);
        return;
      }
      if (holds > 0 || now() - reloadedAt() < rollout) return;
      storage.setItem(changingFlag, String(now()));
      reload();
      // The page is being reloaded, so no answer must be processed any more.
      await new Promise(() => undefined);
    },
    onAnswer(headers) {
      const version = headers.get('x-version');
      if (version === null) return;
      told = version;
      isTold = true;
    },
    onSilence: look,
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
