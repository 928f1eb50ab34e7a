import {
  type BytesToSend,
  mediaOf,
  pathsOf,
  type RouteContract,
  type RouteRequest,
  toWire,
} from '@portal/contracts';

type Part<K extends string, T> = [T] extends [undefined]
  ? { [key in K]?: undefined }
  : Record<never, never> extends T
    ? { [key in K]?: T }
    : { [key in K]: T };

/** What a call of `C` sends; a part whose fields are all optional may be left out. */
export type CallRequest<C extends RouteContract> = Part<'params', RouteRequest<C>['params']> &
  Part<'query', RouteRequest<C>['query']> &
  Part<'body', RouteRequest<C>['body']>;

/** The parts of any request, as the transport sees them. */
export interface AnyRequest {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** Empty and falsy values are as good as absent, zero is a value. Lists are joined by commas. */
function queryText(value: unknown): string | undefined {
  if (value === 0) return '0';
  if (!value) return undefined;
  if (Array.isArray(value)) return value.length > 0 ? value.join(',') : undefined;
  return String(value);
}

/** Encoded or not, fetch takes dots for folders: the call would reach another address, which may name much more. */
function segmentOf(value: string): string {
  if (value === '.' || value === '..') throw new Error(`No address has ${value} as a parameter`);
  return encodeURIComponent(value);
}

/** The path and query string of a call, in the first version that the contract names. */
export function addressOf(contract: RouteContract, request: AnyRequest): string {
  const params = new Map(entriesOf(request.params));
  const path = (pathsOf(contract)[0] ?? contract.path).replace(/:(\w+)/g, (_, name: string) =>
    segmentOf(String(params.get(name))),
  );
  const query = new URLSearchParams();
  for (const [key, value] of entriesOf(toWire(contract.query)(request.query))) {
    const text = queryText(value);
    if (text !== undefined) query.set(key, text);
  }
  const search = query.toString();
  return search === '' ? path : `${path}?${search}`;
}

export function bodyOf(
  { body: schema }: RouteContract,
  { body }: AnyRequest,
): Blob | string | URLSearchParams | undefined {
  if (schema === undefined || body === undefined) return undefined;
  switch (mediaOf(schema).kind) {
    case 'bytes':
      return (body as BytesToSend<string>).content;
    case 'form':
      return new URLSearchParams(
        entriesOf(body).map(([name, value]): [string, string] => [name, String(value)]),
      );
    default:
      return JSON.stringify(toWire(schema)(body));
  }
}
