import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { limits } from './limits.ts';
import type { ContractApi } from './plans.ts';
import type { ServiceName } from './services.ts';

/**
 * One kind of caller that a route lets in.
 * - `admin`: a platform or unit administrator with any of `roles` (0: any administrator); with `platform`, none of a unit.
 * - `partner`: a portal session of a tenant with any of `roles`; `api` is what the tenant's contract must include.
 * - `player`: a player session of a tenant.
 * - `tenant`: a portal or player session of a tenant.
 * - `tenantKey`: an app of a tenant, by the key that the tenant has for it, in `X-Api-Key`; with `bearer` in `Authorization`, where
 *   the app's protocol has it: then no token of a person is taken.
 * - `anyToken`: every caller with a valid token.
 *
 * Where the path has a `:pid`, a caller of a tenant must be of that tenant, an administrator of a unit of that tenant's unit.
 */
export type CallerAccess =
  | { readonly kind: 'admin'; readonly roles: number; readonly platform?: boolean }
  | { readonly kind: 'partner'; readonly roles: number; readonly api?: ContractApi }
  | { readonly kind: 'player'; readonly api?: ContractApi }
  | { readonly kind: 'tenant' }
  | { readonly kind: 'tenantKey'; readonly api?: ContractApi; readonly bearer?: true }
  | { readonly kind: 'anyToken' };

/**
 * A route without a caller, or whose caller is a service; nobody else is let in beside them.
 * - `public`: anyone; `apiKey`: the holder of the installation's key, in `X-Api-Key`; with `publishable`, also of the key of the
 *   sign-up, which everybody may know: without one nobody is let in.
 * - `internal`: one of the services `callers`, by a token that it signs; never routed by the gateway.
 */
export type OtherAccess =
  | { readonly kind: 'public' }
  | { readonly kind: 'apiKey'; readonly publishable?: true }
  | { readonly kind: 'internal'; readonly callers: readonly ServiceName[] };

export type Access = CallerAccess | OtherAccess;

/** The kinds of callers that a route allows. The gateway and the kit enforce it before the handler runs. */
export type AccessList<A extends Access = Access> = readonly A[];

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

type ObjectSchema = z.ZodObject;

/** The statuses of answers that are no errors. */
export type SuccessStatus = 200 | 201 | 202 | 204 | 302 | 303;
export type Replies = Readonly<Partial<Record<SuccessStatus, z.ZodType>>>;

/** The error format of another protocol. */
export interface ErrorFormat {
  readonly contentType: string;
  readonly schema: z.ZodType;
  /** Writes an error; the protocol may use another status for it. */
  write(error: {
    readonly code: ErrorCode;
    readonly status: number;
    readonly message: string;
    readonly fields: readonly { readonly field: string; readonly message: string }[];
  }): { readonly status: number; readonly body: object };
}

/**
 * One HTTP route: all that crosses the boundary. Bodies and answers are JSON with camelCase names that are renamed on the
 * wire (`wire.ts`) unless their schemas say otherwise (`verbatim`, and those of `media.ts`).
 */
export interface RouteContract<
  P extends ObjectSchema = ObjectSchema,
  Q extends ObjectSchema = ObjectSchema,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A extends Access = Access,
  O extends Replies = Replies,
> {
  /** The operation's name: in the OpenAPI document, the query keys of the client and the operation log. */
  readonly id: string;
  /** Who answers it: of the registry, for every route of the product. */
  readonly service: string;
  readonly method: Method;
  /** With `:name` for parameters. What begins with `/v1/` or `/v2/` answers under the other as well. */
  readonly path: string;
  readonly summary: string;
  readonly access: AccessList<A>;
  /** Who may do nothing until they have set up two factors may make this call. */
  readonly settingUp: boolean;
  /** People and players of a tenant whose licence is over may make this call; every other one answers `E40302`. */
  readonly unlicensed: boolean;
  /** Player calls that must carry `X-Agent`. */
  readonly agent: boolean;
  /** Written to the operation log: every changing call, sign-in and export. */
  readonly logged: boolean;
  /**
   * Which calls are tries at a secret, of which an address has few: `all`, where an answer does not tell whether the caller
   * knew it; `failed`, where only who knew it succeeds; `none`, where there is nothing to find out.
   */
  readonly tries: 'all' | 'failed' | 'none';
  /** Of what an address has so many in an hour, or a device so many in a row, whatever else it calls. */
  readonly takes: 'signUps' | 'receipts' | undefined;
  /** The answer of a POST contains a secret, such as a token. It is never stored, so `Idempotency-Key` has no effect. */
  readonly answersSecret: boolean;
  /** Fields of the answer that are secret and shown once: it is stored, and repeated for an `Idempotency-Key`, without them. */
  readonly shownOnce: readonly string[];
  readonly params: P;
  readonly query: Q;
  /** `undefined` where the route takes no body. */
  readonly body: B | undefined;
  /** The largest body in bytes. A larger one is refused before it is read, or while it is, if its length was not declared. */
  readonly maxBody: number;
  /** How deeply arrays and objects of a JSON body may be nested: parsing recurses once for each level. */
  readonly maxDepth: number;
  /**
   * Answers have an `ETag`. A GET whose `If-None-Match` names the present version gets 304; a change whose `If-Match` names
   * another version is refused with 412 and `E40034`.
   */
  readonly versioned: boolean;
  readonly status: SuccessStatus;
  /** The answer with `status`. */
  readonly response: R;
  /** The answers by status, that one among them; the handler chooses. */
  readonly replies: O;
  /** That of the product unless told. */
  readonly errorFormat: ErrorFormat | undefined;
  /** The codes that this route may answer beyond those that every route may (see `commonErrors`). */
  readonly errors: readonly ErrorCode[];
}

interface RouteDefinition<N, P, Q, B, R, A, S, O> {
  id: string;
  service: N;
  method: Method;
  path: string;
  summary: string;
  /** One kind of caller, or any of several. */
  access: A | (readonly A[] & readonly CallerAccess[]);
  settingUp?: boolean;
  unlicensed?: boolean;
  agent?: boolean;
  logged?: boolean;
  tries?: RouteContract['tries'];
  takes?: RouteContract['takes'];
  answersSecret?: boolean;
  shownOnce?: readonly string[];
  params?: P;
  query?: Q;
  body?: B;
  maxBody?: number;
  maxDepth?: number;
  versioned?: boolean;
  status?: S;
  response: R;
  /** The answers with other statuses. */
  otherReplies?: O;
  errorFormat?: ErrorFormat;
  errors?: readonly ErrorCode[];
}

type Empty = z.ZodObject<Record<never, never>>;

/** Declares routes of services with these names. */
export function routesOf<N extends string>() {
  return function route<
    R extends z.ZodType,
    P extends ObjectSchema = Empty,
    Q extends ObjectSchema = Empty,
    B extends z.ZodType = z.ZodUndefined,
    const A extends Access = Access,
    S extends SuccessStatus = 200,
    O extends Replies = Record<never, never>,
  >(definition: RouteDefinition<N, P, Q, B, R, A, S, O>): RouteContract<P, Q, B, R, A, O & Record<S, R>> {
    const access = listOf<A>(definition.access);
    const status = definition.status ?? 200;
    const isAnonymous = access.some(({ kind }) => kind === 'public' || kind === 'apiKey');
    return {
      id: definition.id,
      service: definition.service,
      method: definition.method,
      path: definition.path,
      summary: definition.summary,
      access,
      settingUp: definition.settingUp ?? false,
      unlicensed: definition.unlicensed ?? false,
      agent: definition.agent ?? access.some(({ kind }) => kind === 'player'),
      logged: definition.logged ?? definition.method !== 'GET',
      tries: definition.tries ?? (isAnonymous ? 'all' : 'none'),
      takes: definition.takes,
      answersSecret: definition.answersSecret ?? false,
      shownOnce: definition.shownOnce ?? [],
      // An omitted schema has the type parameter's default, which is what these stand for.
      params: definition.params ?? (z.object({}) as ObjectSchema as P),
      query: definition.query ?? (z.object({}) as ObjectSchema as Q),
      body: definition.body,
      maxBody: definition.maxBody ?? (isAnonymous ? limits.maxAnonymousBody : limits.maxJsonBody),
      maxDepth: definition.maxDepth ?? limits.maxJsonDepth,
      versioned: definition.versioned ?? false,
      status,
      response: definition.response,
      replies: { ...definition.otherReplies, [status]: definition.response } as O & Record<S, R>,
      errorFormat: definition.errorFormat,
      errors: definition.errors ?? [],
    };
  };
}

/**
 * Declares a route of the product. Defaults: no parameters, status 200, logged when it changes something, a try at a secret
 * when it is for callers without a token; bodies of up to 1 MiB from whoever has a token, else of 64 KiB.
 */
export const route = routesOf<ServiceName>();

const listOf = <A extends Access>(access: A | readonly A[]): AccessList<A> =>
  'kind' in access ? [access] : access;

const ofTenants: ReadonlySet<Access['kind']> = new Set([
  'partner',
  'player',
  'tenant',
  'tenantKey',
  'anyToken',
]);

/** Whether a tenant makes this call: its people, its players, or whoever has its key. */
export const isForTenants = ({ access }: Pick<RouteContract, 'access'>): boolean =>
  access.some(({ kind }) => ofTenants.has(kind));

/** Whether the licence of a tenant must not be over for this call. */
export const needsLicence = (contract: Pick<RouteContract, 'access' | 'unlicensed'>): boolean =>
  !contract.unlicensed && isForTenants(contract);

/** Whether the key of a tenant's app is where a token of a person is elsewhere. */
export const takesBearerKey = ({ access }: Pick<RouteContract, 'access'>): boolean =>
  access.some((one) => one.kind === 'tenantKey' && one.bearer);

/** Whether a route lets in callers of this kind. */
export const admits = ({ access }: Pick<RouteContract, 'access'>, kind: Access['kind']): boolean =>
  access.some((one) => one.kind === kind);

type AtOtherPlace<C extends RouteContract, A extends Access> =
  C extends RouteContract<infer P, infer Q, infer B, infer R, Access, infer O>
    ? RouteContract<P, Q, B, R, A, O>
    : never;

/**
 * The same route at another path for other callers, with the same parameters, so that one handler answers both; `errors`
 * are what it may answer there besides.
 */
export function routeAt<C extends RouteContract, const A extends CallerAccess>(
  contract: C,
  place: Pick<RouteContract, 'id' | 'path' | 'summary'> & {
    readonly access: A;
    readonly errors?: readonly ErrorCode[];
  },
): AtOtherPlace<C, A> {
  const { access, errors = [], ...names } = place;
  // `AtOtherPlace` is C with another access, which TypeScript cannot conclude while C is a type parameter.
  return {
    ...contract,
    ...names,
    access: [access],
    errors: [...contract.errors, ...errors],
  } as unknown as AtOtherPlace<C, A>;
}

/** Every path of a route, first the one that it names: one for each version, where it has versions. */
export function pathsOf({ path }: RouteContract): readonly string[] {
  const [, version, rest] = /^\/v([12])(\/.*)$/.exec(path) ?? [];
  return version === undefined ? [path] : [path, `/v${version === '1' ? 2 : 1}${rest}`];
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

/** What a caller gets, whatever the status. */
export type RouteReply<C extends RouteContract> = z.output<NonNullable<C['replies'][keyof C['replies']]>>;
