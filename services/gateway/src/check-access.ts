import { createHash, timingSafeEqual } from 'node:crypto';
import type { RouteContract } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import { bearerOf, type Caller, saysItIsOver, type TokenVerifier } from '@portal/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiter } from './rate-limits.ts';

export interface Door {
  readonly apiKey: string;
  readonly tokens: TokenVerifier;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Turns away at the door what no service needs to see: missing, forged, expired or ended tokens, wrong API keys, and who
 * comes too often. Which roles and tenants may pass is the service's own check.
 */
export async function checkAccess(
  contract: RouteContract,
  request: FastifyRequest,
  reply: FastifyReply,
  door: Door,
): Promise<void> {
  const { access, tries } = contract;
  const { apiKey, limiter, tokens } = door;
  if (access.kind === 'public' || access.kind === 'apiKey') {
    limiter.visit(request.ip);
  } else {
    const caller = await callerOf(request, door);
    limiter.call(caller);
    tokens.assertLive(caller);
    request.caller = caller;
  }
  if (tries !== 'none') await limiter.attempt(request.ip, tries, reply.raw);
  if (access.kind === 'apiKey') {
    const given = request.headers['x-api-key'];
    if (typeof given !== 'string' || !timingSafeEqual(digest(given), digest(apiKey))) {
      throw new AppError('E40033');
    }
  }
}

/** Whose token a request has, be it over or not: a device that was off for a while is no stranger. */
async function callerOf({ headers, ip }: FastifyRequest, { clock, limiter, tokens }: Door): Promise<Caller> {
  let token = '';
  try {
    token = bearerOf(headers.authorization);
    const known = tokens.known(token);
    if (known) return known;
    limiter.mayVisit(ip);
    return await tokens.identify(token);
  } catch (error) {
    if (error instanceof AppError && error.status === 401) {
      // Its key may be gone by now, and with it what tells it from a forged one.
      if (saysItIsOver(token, clock)) limiter.visit(ip);
      else limiter.refusedToken(ip);
    }
    throw error;
  }
}
