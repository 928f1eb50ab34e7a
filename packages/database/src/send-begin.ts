import type pg from 'pg';
import { tracedQuery } from './traced-query.ts';

/**
 * Lets each `BEGIN` on this connection, which pipelines, begin with the SQL of `begin` instead. Its answer is not waited
 * for: what follows is sent right behind it, so that a transaction takes a round trip less. Where it fails, so does every
 * statement up to the next, whatever the server said to that.
 */
export function sendBegin(client: pg.ClientBase, begin: () => string): void {
  let begun: Promise<unknown> = Promise.resolve();
  client.query = new Proxy(client.query, {
    apply(query, self, [first, ...more]: unknown[]) {
      const begins = isBegin(first);
      const asked = begins ? { ...first, text: begin() } : first;
      const sent: unknown = tracedQuery(asked, () => Reflect.apply(query, self, [asked, ...more]));
      if (!(sent instanceof Promise)) return sent;
      if (!begins) return Promise.all([sent, begun]).then(([result]) => result);
      begun = sent;
      sent.catch(() => undefined);
      return Promise.resolve({ rowCount: null, rows: [], fields: [] });
    },
  });
}

function isBegin(query: unknown): query is { text: 'BEGIN' } {
  return typeof query === 'object' && query !== null && 'text' in query && query.text === 'BEGIN';
}
