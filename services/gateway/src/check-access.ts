import { createHash, timingSafeEqual } from 'node:crypto';
import type { RouteContract } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { bearerOf, type TokenVerifier } from '@portal/service-kit';
import type { FastifyRequest } from 'fastify';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Turns away at the door what no service needs to see: missing, forged, expired or ended tokens, and wrong API keys.
 * Which roles and tenants may pass is the service's own check.
 */
export async function checkAccess(
  contract: RouteContract,
  request: FastifyRequest,
  { apiKey, tokens }: { apiKey: string; tokens: TokenVerifier },
): Promise<void> {
  const { kind } = contract.access;
  if (kind === 'public') return;
  if (kind === 'apiKey') {
    const given = request.headers['x-api-key'];
    if (typeof given !== 'string' || !timingSafeEqual(digest(given), digest(apiKey))) {
      throw new AppError('E40033');
    }
    return;
  }
  const caller = tokens.verify(bearerOf(request.headers.authorization));
  request.caller = caller instanceof Promise ? await caller : caller;
}
