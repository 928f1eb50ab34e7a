import { createListener } from '@portal/database';
import type { Logger } from '@portal/kernel';
import { noticeChannel } from './notice-repository.ts';

/** Wakes streams when any instance has kept a notice for one of their audiences. */
export interface NoticeWatch {
  /** Calls `wake` for each notice of these audiences, and whenever one may have been missed. @returns what ends that */
  follow(audiences: readonly string[], wake: () => void): () => void;
  start(): void;
  close(): Promise<void>;
}

export function createNoticeWatch(options: { connectionString: string; logger: Logger }): NoticeWatch {
  const followers = new Map<string, Set<() => void>>();

  const wakeOf = (audience: string) => {
    for (const wake of followers.get(audience) ?? []) wake();
  };

  const listener = createListener({
    ...options,
    name: 'mail notices',
    channel: noticeChannel,
    onNotification: wakeOf,
    // What was kept while nobody listened.
    onListening: () => {
      for (const audience of followers.keys()) wakeOf(audience);
    },
  });

  return {
    follow(audiences, wake) {
      for (const audience of audiences) {
        const known = followers.get(audience) ?? new Set();
        followers.set(audience, known.add(wake));
      }
      return () => {
        for (const audience of audiences) {
          const known = followers.get(audience);
          known?.delete(wake);
          if (known?.size === 0) followers.delete(audience);
        }
      };
    },
    start: () => listener.start(),
    close: () => listener.close(),
  };
}
