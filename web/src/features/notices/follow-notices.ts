import { eventsIn, type StreamEvent } from './event-lines.ts';

/** What a tab tells the others of a browser that are signed in as the same person. */
type Message = { readonly kind: 'open' | 'alive' } | { readonly kind: 'event'; readonly data: string };

export interface FollowOptions {
  /** Of the person: tabs of one share a connection. */
  readonly name: string;
  readonly url: string;
  token(): Promise<string | undefined>;
  /** A notice has come, as JSON. */
  onNotice(data: string): void;
  /** The newest notice that is known: the stream begins with those after it. Undefined where that cannot be told. */
  since(): Promise<string | undefined>;
  /** There may be notices that nobody has told of: the stream has begun anywhere, or begun again. */
  onOpen(): void;
  /** The connection is alive: nobody has to ask for a while. */
  onAlive(): void;
  readonly signal: AbortSignal;
}

/** The stream holds one of the six connections that a browser has to a server: until then they are the screen's. */
const beginAfterMs = 3_000;
const firstDelayMs = 1_000;
const longestDelayMs = 60_000;

/**
 * Follows the stream of notices, by one connection for all tabs of the browser: the tab with the lock has it and tells the others.
 * Where the browser can't, or the server won't, nothing is followed, and whoever shows notices asks from time to time.
 */
export function followNotices(options: FollowOptions): void {
  const { name, onAlive, onNotice, onOpen, signal } = options;
  // Pages without HTTPS have no locks.
  const { locks }: { readonly locks?: LockManager | null } = navigator;
  if (!locks || typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel.close());
  const told = (message: Message) => {
    onAlive();
    if (message.kind === 'open') onOpen();
    else if (message.kind === 'event') onNotice(message.data);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => told(data));
  const tell = (message: Message) => {
    if (signal.aborted) return;
    channel.postMessage(message);
    told(message);
  };
  locks
    .request(name, { signal }, async () =>
      stayConnected(options, {
        onAlive: () => tell({ kind: 'alive' }),
        onEvent: ({ data }) => tell({ kind: 'event', data }),
        onOpen: () => tell({ kind: 'open' }),
      }),
    )
    // The page is left.
    .catch(() => undefined);
}

interface Heard {
  onAlive(): void;
  onEvent(event: StreamEvent): void;
  onOpen(): void;
}

/** Connects again and again, each time after a longer while, until `signal` aborts. */
async function stayConnected({ signal, since, token, url }: FollowOptions, heard: Heard): Promise<void> {
  let lastId = await since();
  let isKnown = lastId !== undefined;
  let refused: string | undefined;
  let failures = 0;
  await delay(beginAfterMs, signal);
  while (!signal.aborted) {
    try {
      const bearer = await token();
      if (bearer === undefined) return;
      // A session that has ended is refused once; the person may sign in again on the same page.
      if (bearer !== refused) {
        const reply = await fetch(url, {
          headers: {
            authorization: `Bearer ${bearer}`,
            ...(lastId !== undefined && { 'last-event-id': lastId }),
          },
          signal,
        });
        if (reply.ok && reply.body) {
          failures = 0;
          if (isKnown) heard.onAlive();
          else heard.onOpen();
          isKnown = false;
          for await (const event of eventsIn(reply.body, heard.onAlive)) {
            lastId = event.id;
            heard.onEvent(event);
          }
        } else {
          await reply.body?.cancel();
          if (reply.status === 401) refused = bearer;
          failures += 1;
        }
      }
    } catch {
      failures += 1;
    }
    const longest = Math.min(longestDelayMs, firstDelayMs * 2 ** failures);
    // Not all browsers at one moment.
    await delay(longest * (0.5 + Math.random() / 2), signal);
  }
}

async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
