import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { limits } from './limits.ts';
import type { ContractApi } from './plans.ts';

/** Every service that answers routes, and the gateway in front of them. */
export const serviceNames = ['gateway', 'identity', 'tenant', 'user', 'file', 'mail', 'batch'] as const;
export type ServiceName = (typeof serviceNames)[number];

/**
 * Who may call a route. The kit enforces it before the handler runs.
 * - `public`: anyone; `apiKey`: the holder of the `X-Api-Key`.
 * - `admin`: a platform or unit administrator with any of `roles` (0: any administrator).
 * - `partner`: a portal session of a tenant with any of `roles`; `api` is what the tenant's contract must include.
 *   A `:pid` in the path must be the caller's own.
 * - `player`: a player session of a tenant.
 * - `tenant`: a portal or player session of a tenant.
 * - `anyToken`: whoever holds a valid token.
 * - `internal`: one of the services `callers`, by a token that it signs; never routed by the gateway.
 */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'apiKey' }
  | { readonly kind: 'admin'; readonly roles: number }
  | { readonly kind: 'partner'; readonly roles: number; readonly api?: ContractApi }
  | { readonly kind: 'player'; readonly api?: ContractApi }
  | { readonly kind: 'tenant' }
  | { readonly kind: 'anyToken' }
  | { readonly kind: 'internal'; readonly callers: readonly ServiceName[] };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

type ObjectSchema = z.ZodObject;

/** One HTTP route: everything that crosses the boundary, in camelCase. See `wire.ts` for the names on the wire. */
export interface RouteContract<
  P extends ObjectSchema = ObjectSchema,
  Q extends ObjectSchema = ObjectSchema,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A extends Access = Access,
> {
  /** The operation's name: in the OpenAPI document, the query keys of the client and the operation log. */
  readonly id: string;
  readonly service: ServiceName;
  readonly method: Method;
  /** With `:name` for parameters, beginning with the first of `versions`. */
  readonly path: string;
  /** Every version under which the same handler answers, e.g. `['v1', 'v2']`. */
  readonly versions: readonly string[];
  readonly summary: string;
  readonly access: A;
  /** Player calls that must carry `X-Agent`. */
  readonly agent: boolean;
  /** Written to the operation log: every changing call, sign-in and export. */
  readonly logged: boolean;
  /**
   * Which calls are tries at a secret, of which an address has few: `all`, where an answer does not tell whether the caller
   * knew it; `failed`, where only who knew it succeeds; `none`, where there is nothing to find out.
   */
  readonly tries: 'all' | 'failed' | 'none';
  readonly params: P;
  readonly query: Q;
  /** `undefined` where the route takes no body. */
  readonly body: B | undefined;
  /** The largest body in bytes; one that is larger is refused before it is read. */
  readonly maxBody: number;
  readonly status: 200 | 201;
  readonly response: R;
  /** The codes that this route may answer beyond those that every route may (see `commonErrors`). */
  readonly errors: readonly ErrorCode[];
}

interface RouteDefinition<P, Q, B, R, A> {
  id: string;
  service: ServiceName;
  method: Method;
  path: string;
  versions?: readonly string[];
  summary: string;
  access: A;
  agent?: boolean;
  logged?: boolean;
  tries?: RouteContract['tries'];
  params?: P;
  query?: Q;
  body?: B;
  maxBody?: number;
  status?: 200 | 201;
  response: R;
  errors?: readonly ErrorCode[];
}

type Empty = z.ZodObject<Record<never, never>>;

/**
 * Declares a route. Defaults: no parameters, status 200, logged when it changes something, a try at a secret when it is for
 * callers without a token; bodies of up to 1 MiB from whoever has a token, else of 64 KiB.
 */
export function route<
  R extends z.ZodType,
  P extends ObjectSchema = Empty,
  Q extends ObjectSchema = Empty,
  B extends z.ZodType = z.ZodUndefined,
  const A extends Access = Access,
>(definition: RouteDefinition<P, Q, B, R, A>): RouteContract<P, Q, B, R, A> {
  const first = /^\/(v\d+)\//.exec(definition.path)?.[1];
  const { kind } = definition.access;
  return {
    id: definition.id,
    service: definition.service,
    method: definition.method,
    path: definition.path,
    versions: definition.versions ?? (first ? [first] : []),
    summary: definition.summary,
    access: definition.access,
    agent: definition.agent ?? kind === 'player',
    logged: definition.logged ?? definition.method !== 'GET',
    tries: definition.tries ?? (kind === 'public' || kind === 'apiKey' ? 'all' : 'none'),
    // An omitted schema has the type parameter's default, which is what these stand for.
    params: definition.params ?? (z.object({}) as ObjectSchema as P),
    query: definition.query ?? (z.object({}) as ObjectSchema as Q),
    body: definition.body,
    maxBody:
      definition.maxBody ?? (isAnonymous(definition.access) ? limits.maxAnonymousBody : limits.maxJsonBody),
    status: definition.status ?? 200,
    response: definition.response,
    errors: definition.errors ?? [],
  };
}

const isAnonymous = ({ kind }: Access): boolean => kind === 'public' || kind === 'apiKey';

/** Every path of a route, one for each version. */
export function pathsOf(contract: RouteContract): string[] {
  const [, first] = /^\/(v\d+)\//.exec(contract.path) ?? [];
  if (!first) return [contract.path];
  return contract.versions.map((version) => contract.path.replace(`/${first}/`, `/${version}/`));
}

/** What a handler receives. */
export interface RouteInput<C extends RouteContract> {
  params: z.output<C['params']>;
  query: z.output<C['query']>;
  body: z.output<NonNullable<C['body']>>;
}

/** What a caller sends. */
export interface RouteRequest<C extends RouteContract> {
  params: z.input<C['params']>;
  query: z.input<C['query']>;
  body: z.input<NonNullable<C['body']>>;
}

/** What a handler returns and a caller gets. */
export type RouteReply<C extends RouteContract> = z.output<C['response']>;
