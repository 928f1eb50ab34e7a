import { type AccessList, admits, type RouteContract, staysOpen, takesBearerKey } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import {
  bearerOf,
  type Caller,
  credentialsIn,
  isExpired,
  showsTenantKey,
  type TokenVerifier,
} from '@portal/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiter } from './rate-limits.ts';

export interface Door {
  isApiKey(given: string, access: AccessList): boolean;
  readonly tokens: TokenVerifier;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}

/**
 * Refuses requests that no service needs to see: missing, forged, expired or revoked tokens, wrong API keys, and callers
 * over their limit. Which roles and tenants may pass, and whose a tenant's key is, is the service's own check; the rest the
 * service checks as well.
 */
export async function checkAccess(
  contract: RouteContract,
  request: FastifyRequest,
  reply: FastifyReply,
  door: Door,
): Promise<void> {
  const { access, takes, tries } = contract;
  const { limiter, tokens } = door;
  const credentials = credentialsIn(request.headers);
  const takesApiKey = admits(contract, 'apiKey');
  if (takesBearerKey(contract)) {
    // Who shows none is counted as well.
    if (!credentials.authorization) limiter.visit(request.ip);
    limiter.key(bearerOf(credentials.authorization), request.ip, reply.raw);
  } else if (showsTenantKey(access, credentials)) {
    limiter.key(credentials.apiKey ?? '', request.ip, reply.raw);
  } else if (admits(contract, 'public') || takesApiKey) {
    limiter.visit(request.ip);
  } else {
    const caller = await callerOf(request, door);
    limiter.call(caller);
    tokens.assertLive(caller);
    if (staysOpen(contract)) limiter.stream(caller, reply.raw);
    if (takes === 'receipts') limiter.receipt(caller);
    request.caller = caller;
  }
  if (tries !== 'none') await limiter.attempt(request.ip, tries, reply.raw);
  if (takesApiKey && !door.isApiKey(credentials.apiKey ?? '', access)) throw new AppError('E40033');
  if (takes === 'signUps') limiter.hourly(request.ip, takes, reply.raw);
}

/** Whose token a request has, be it over or not: a device that was off for a while is no stranger. */
async function callerOf(request: FastifyRequest, { clock, limiter, tokens }: Door): Promise<Caller> {
  const { headers, ip } = request;
  let token = '';
  try {
    token = bearerOf(headers.authorization);
    const known = tokens.known(token);
    if (known) return known;
    limiter.mayVisit(ip);
    return await tokens.identify(request);
  } catch (error) {
    if (error instanceof AppError && error.status === 401) {
      // Its key may be gone by now, and with it what tells it from a forged one.
      if (isExpired(token, clock)) limiter.visit(ip);
      else limiter.refusedToken(ip);
    }
    throw error;
  }
}
