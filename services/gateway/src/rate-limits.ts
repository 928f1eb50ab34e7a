import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits, type RouteContract } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import type { Caller } from '@portal/service-kit';
import { LRUCache } from 'lru-cache';
import { type Budget, createBudget, type Hold } from './budget.ts';
import { type ClientAddress, clientAddressOf } from './client-address.ts';
import type { OpenStreams } from './open-streams.ts';
import { createPace, type Pace } from './pace.ts';

export const budgetNames = [
  'tries',
  'siteTries',
  'calls',
  'accountCalls',
  'pages',
  'signUps',
  'siteSignUps',
] as const;
export type BudgetName = (typeof budgetNames)[number];
export type RateLimits = Readonly<Record<BudgetName, number>>;
/** A name, as other gateways are told it. */
export const countNames = [...budgetNames, 'receipts'] as const;
export type Budgets = Readonly<Record<BudgetName, Budget>> & { readonly receipts: Pace };

/** What each has in a minute, unless told; see decision 0012. */
export const defaultRateLimits: RateLimits = {
  /** Tries at a secret, of an address. */
  tries: 60,
  /** The same of all addresses of an IPv6 site. */
  siteTries: 600,
  /** Calls of a session, or of an address without one. */
  calls: 1_200,
  /** Calls of an account, over all its sessions. */
  accountCalls: 12_000,
  /** Pages, documents and stored objects, of an address. */
  pages: 60_000,
  /** Sign-ups of an address: in an hour. */
  signUps: limits.signUpsPerHour,
  /** The same of all addresses of an IPv6 site. */
  siteSignUps: limits.signUpsPerHour * 10,
};

/** Receipts of a device. */
const receiptPace = { burst: 10, everyMs: 1_000 };

const hourMs = 3_600_000;

/** What is counted: calls in a minute, and streams while they are open. */
export interface Counts {
  readonly budgets: Budgets;
  readonly streams: OpenStreams;
}

export function createBudgets(most: RateLimits, clock: Clock): Budgets {
  return {
    tries: createBudget(most.tries, clock),
    siteTries: createBudget(most.siteTries, clock),
    calls: createBudget(most.calls, clock),
    accountCalls: createBudget(most.accountCalls, clock),
    pages: createBudget(most.pages, clock),
    signUps: createBudget(most.signUps, clock, hourMs),
    siteSignUps: createBudget(most.siteSignUps, clock, hourMs),
    receipts: createPace(receiptPace, clock),
  };
}

export class TooManyRequests extends Error {
  readonly statusCode = 429;
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('Too many requests');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Each counts, and throws `TooManyRequests` when nothing is left. */
export interface RateLimiter {
  /** A page, a document or an object. */
  page(ip: string): void;
  /** A call without a session. */
  visit(ip: string): void;
  /** Counts nothing: whether `visit` would pass. */
  mayVisit(ip: string): void;
  /** A call of a session. */
  call(caller: Caller): void;
  /** A stream of events of a session, until `response` closes. */
  stream(caller: Caller, response: ServerResponse<IncomingMessage>): void;
  /** A token that names nobody. */
  refusedToken(ip: string): void;
  /**
   * A call with the key of a tenant's app. The key counts, not the address: the apps of many tenants call from the addresses of one
   * provider. An address has few keys that the service does not know.
   */
  key(key: string, ip: string, response: ServerResponse<IncomingMessage>): void;
  /** A call that is a try, before it is made. Its answer decides whether it comes back, of `failed`. */
  attempt(
    ip: string,
    tries: RouteContract['tries'],
    response: ServerResponse<IncomingMessage>,
  ): Promise<void>;
  /** A call of which an address has few in an hour. One that is refused for its fields, or fails, comes back. */
  hourly(ip: string, what: 'signUps', response: ServerResponse<IncomingMessage>): void;
  /** What the device of a token tells. */
  receipt(caller: Caller): void;
}

/** When one of the open streams may have ended. */
const streamRetrySeconds = 30;
/** Of those who find all tries of their address under way. */
const waitMs = 100;
const longestWaits = 200;
/** Keys of tenants' apps that the service has let in lately. */
const mostKnownKeys = 10_000;
const keyIsKnownMs = 60_000;
/** At once, of all addresses. */
const mostWaiting = 1_000;

export function createRateLimiter({ budgets, streams }: Counts): RateLimiter {
  const { accountCalls, calls, pages } = budgets;
  const knownKeys = new LRUCache<string, true>({ max: mostKnownKeys, ttl: keyIsKnownMs });
  let waiting = 0;

  function take(budget: Pick<Budget, 'secondsUntilMore' | 'take'>, key: string): void {
    if (!budget.take(key)) throw new TooManyRequests(budget.secondsUntilMore(key));
  }

  const visit = (ip: string) => take(calls, clientAddressOf(ip).host);

  /** One of what an address has, and of what its site has. */
  function hold(
    what: 'signUps' | 'tries',
    { host, site }: ClientAddress,
  ): readonly Hold[] | { readonly empty: Budget; readonly key: string } {
    const [hosts, sites] = [budgets[what], budgets[what === 'tries' ? 'siteTries' : 'siteSignUps']];
    const ofHost = hosts.hold(host);
    if (!ofHost) return { empty: hosts, key: host };
    if (site === undefined) return [ofHost];
    const ofSite = sites.hold(site);
    if (ofSite) return [ofHost, ofSite];
    ofHost('back');
    return { empty: sites, key: site };
  }

  /** What is under way may yet turn out to be no guess: then there is room for those who wait for it. */
  async function heldTry(address: ClientAddress): Promise<readonly Hold[]> {
    for (let waits = 0; ; waits += 1) {
      const held = hold('tries', address);
      if (!('empty' in held)) return held;
      const { empty, key } = held;
      if (!empty.isHeld(key) || waits === longestWaits || waiting >= mostWaiting) {
        throw new TooManyRequests(empty.secondsUntilMore(key));
      }
      waiting += 1;
      await sleep(waitMs);
      waiting -= 1;
    }
  }

  return {
    page: (ip) => take(pages, clientAddressOf(ip).host),
    visit,
    mayVisit(ip) {
      const { host } = clientAddressOf(ip);
      if (!calls.hasLeft(host)) throw new TooManyRequests(calls.secondsUntilMore(host));
    },
    call(caller) {
      take(calls, caller.sessionId);
      take(accountCalls, caller.kind === 'admin' ? `admin ${caller.adminId}` : `account ${caller.accountId}`);
    },
    stream(caller, response) {
      const close = streams.open(caller.sessionId);
      if (!close) throw new TooManyRequests(streamRetrySeconds);
      if (response.destroyed) close();
      else response.once('close', close);
    },
    refusedToken(ip) {
      visit(ip);
      const held = hold('tries', clientAddressOf(ip));
      if ('empty' in held) throw new TooManyRequests(held.empty.secondsUntilMore(held.key));
      for (const end of held) end('spent');
    },
    key(key, ip, response) {
      const name = `key ${hashed(key)}`;
      take(accountCalls, name);
      if (knownKeys.has(name)) return;
      visit(ip);
      const held = hold('tries', clientAddressOf(ip));
      if ('empty' in held) throw new TooManyRequests(held.empty.secondsUntilMore(held.key));
      const endAll = (how: 'spent' | 'back') => {
        for (const end of held) end(how);
      };
      if (response.destroyed) return endAll('back');
      response.once('close', () => {
        const { headersSent, statusCode } = response;
        // A key that nobody has is answered by one of these, as its route has it; so may be a bad call with a key that is not known yet.
        const isRefused = !headersSent || statusCode === 401 || statusCode === 400;
        // Of a call whose body is too large nobody has looked at the key, and the next one with it is a try still.
        const isLetIn = !isRefused && statusCode < 500 && statusCode !== 413;
        if (isLetIn) knownKeys.set(name, true);
        endAll(isRefused ? 'spent' : 'back');
      });
    },
    async attempt(ip, kind, response) {
      if (kind === 'none') return;
      const held = await heldTry(clientAddressOf(ip));
      const endAll = (how: 'spent' | 'back') => {
        for (const end of held) end(how);
      };
      if (kind === 'all') return endAll('spent');
      if (response.destroyed) {
        endAll('back');
        throw new TooManyRequests(1);
      }
      response.once('close', () => {
        const { headersSent, statusCode } = response;
        // A service that is away tested nothing. Who goes before the answer is there has tried.
        endAll(headersSent && (statusCode < 400 || statusCode >= 500) ? 'back' : 'spent');
      });
    },
    hourly(ip, what, response) {
      const held = hold(what, clientAddressOf(ip));
      if ('empty' in held) throw new TooManyRequests(held.empty.secondsUntilMore(held.key));
      const endAll = (how: 'spent' | 'back') => {
        for (const end of held) end(how);
      };
      if (response.destroyed) return endAll('back');
      response.once('close', () => {
        const { headersSent, statusCode } = response;
        // A refusal because of an address that has signed up before (403) tells of it: it counts.
        const wasInVain = statusCode === 400 || statusCode === 404 || statusCode >= 500;
        endAll(headersSent && wasInVain ? 'back' : 'spent');
      });
    },
    receipt(caller) {
      if (caller.kind !== 'tenant') return;
      const { accountId, partnerId, platformUuid } = caller;
      take(budgets.receipts, hashed(`${partnerId} ${platformUuid ?? `account ${accountId}`}`));
    },
  };
}

/** What others may not read, or of any length, as the name of a counter. */
const hashed = (text: string): string => hash('sha256', text, 'base64url');

/** For load tests: everybody has everything. */
export const unlimited: RateLimiter = {
  page: () => undefined,
  visit: () => undefined,
  mayVisit: () => undefined,
  call: () => undefined,
  stream: () => undefined,
  refusedToken: () => undefined,
  key: () => undefined,
  attempt: async () => undefined,
  hourly: () => undefined,
  receipt: () => undefined,
};
