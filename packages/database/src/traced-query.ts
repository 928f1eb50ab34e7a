import { currentContext, errorTypeOf, startSpan } from '@portal/kernel';

const operationPattern = /^\s*(\w+)/;
const tablePattern = /\b(?:FROM|INTO|UPDATE)\s+(?:ONLY\s+)?("?\w+"?(?:\."?\w+"?)?)/i;
const longestText = 2_000;

/** Sends a query of the driver in a span of its own. Its text goes into the trace, its parameters never do. */
export function tracedQuery<T>(query: unknown, send: () => T): T {
  if (!currentContext()?.tracer) return send();
  const text = textOf(query);
  const operation = operationPattern.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const table = tablePattern.exec(text)?.[1]?.replaceAll('"', '');
  const span = startSpan(table ? `${operation} ${table}` : operation, {
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': text.slice(0, longestText),
      ...(table ? { 'db.collection.name': table } : {}),
    },
  });
  const sent = send();
  if (sent instanceof Promise) {
    sent.then(
      () => span?.end(),
      (error: unknown) => span?.end(errorTypeOf(error)),
    );
  } else span?.end();
  return sent;
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}
