import type { RateLimitOptions } from '@fastify/rate-limit';
import type { RouteContract } from '@portal/contracts';

/** Requests that one caller may make in a minute. */
export interface RateLimits {
  /** Calls without a token, by address: sign-ins above all. */
  readonly anonymous: number;
  /** Calls with a token, by address and session. */
  readonly signedIn: number;
}

export const defaultRateLimits: RateLimits = { anonymous: 60, signedIn: 1200 };

const minute = 60_000;

/** The limit of one route; everyone of one kind shares it over all routes of that kind. */
export function rateLimits(contract: RouteContract, limits: RateLimits): RateLimitOptions {
  const anonymous = contract.access.kind === 'public' || contract.access.kind === 'apiKey';
  return {
    max: anonymous ? limits.anonymous : limits.signedIn,
    timeWindow: minute,
    groupId: anonymous ? 'anonymous' : 'signed-in',
    keyGenerator: (request) =>
      anonymous ? request.ip : `${request.ip} ${request.headers.authorization?.slice(-43) ?? ''}`,
  };
}
