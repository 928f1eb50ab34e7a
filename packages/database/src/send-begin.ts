import type pg from 'pg';
import { tracedQuery } from './traced-query.ts';

/** How a transaction opens: the mode of its `BEGIN`, and the statement behind that. */
export interface Opening {
  readonly begin: string;
  readonly then: pg.QueryConfig;
}

/**
 * Lets each `BEGIN` on this connection, which pipelines, be that of `opening` instead, with its statement behind. Their
 * answers are not waited for: what follows is sent right behind them, so that a transaction takes a round trip less. Where
 * one fails, so does every statement up to the next `BEGIN`, whatever the server said to that.
 */
export function sendBegin(client: pg.ClientBase, opening: () => Opening): void {
  let begun: Promise<unknown> = Promise.resolve();
  client.query = new Proxy(client.query, {
    apply(query, self, [first, ...more]: unknown[]) {
      if (isBegin(first)) {
        const { begin, then } = opening();
        const asked = { ...first, text: begin };
        begun = Promise.all([
          tracedQuery(asked, () => Reflect.apply(query, self, [asked, ...more])),
          Reflect.apply(query, self, [then]),
        ]);
        begun.catch(() => undefined);
        return Promise.resolve({ rowCount: null, rows: [], fields: [] });
      }
      const sent: unknown = tracedQuery(first, () => Reflect.apply(query, self, [first, ...more]));
      if (!(sent instanceof Promise)) return sent;
      sent.catch(() => undefined);
      return begun.then(() => sent);
    },
  });
}

function isBegin(query: unknown): query is { text: 'BEGIN' } {
  return typeof query === 'object' && query !== null && 'text' in query && query.text === 'BEGIN';
}
