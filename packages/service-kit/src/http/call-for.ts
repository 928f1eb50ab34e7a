import { agentPattern } from '@portal/contracts';
import type { FastifyRequest } from 'fastify';
import { scopeOf } from '../auth/caller.ts';
import { systemScope } from '../scopes.ts';
import { languageOf } from './error-reply.ts';
import { headerOf } from './headers.ts';
import type { Call } from './implement.ts';
import { requireVersion } from './versions.ts';

/** The client's, which the gateway names. */
export const addressOf = (request: FastifyRequest): string =>
  headerOf(request, 'x-forwarded-for') ?? request.ip;

/** `X-Agent`, or the browser's `User-Agent`. */
export const agentOf = (request: FastifyRequest): string =>
  headerOf(request, 'x-agent') ?? request.headers['user-agent'] ?? '';

/** `X-Agent` where it is well-formed. */
export function clientAgentOf(request: FastifyRequest): string | undefined {
  const agent = headerOf(request, 'x-agent');
  return agent !== undefined && agentPattern.test(agent) ? agent : undefined;
}

/** What a handler knows of a request; `onSignedIn` runs when the handler reports who signed in. */
export function callFor(request: FastifyRequest, onSignedIn: () => void): Call {
  return {
    // `admit` has let pass only the kinds of callers that the contract names.
    caller: request.caller as Call['caller'],
    scope: request.caller && scopeOf(request.caller),
    systemScope: request.caller ? undefined : systemScope,
    requestId: request.id,
    language: languageOf(request.headers['accept-language']),
    agent: agentOf(request),
    clientAgent: clientAgentOf(request),
    lastEventId: headerOf(request, 'last-event-id'),
    address: addressOf(request),
    rawQuery: request.raw.url?.split('?').slice(1).join('?') ?? '',
    wantsPage: request.headers.accept?.includes('text/html') ?? false,
    conditional: headerOf(request, 'if-match') !== undefined,
    checkVersion: (version) => requireVersion(headerOf(request, 'if-match'), version),
    concerns: (subject) => {
      request.subject = subject;
    },
    signedIn: (actor) => {
      request.subject = actor;
      onSignedIn();
    },
  };
}
