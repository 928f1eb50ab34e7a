export { type Authority, admit, bearerOf, identify } from './auth/authorise.ts';
export type { AdminCaller, Caller, TenantCaller } from './auth/caller.ts';
export { createInternalTokens, type InternalKeys } from './auth/internal-tokens.ts';
export { followRevocations, type Revocations, revocationsOf } from './auth/revocations.ts';
export {
  createTokenVerifier,
  type KeySource,
  saysItIsOver,
  type TokenClaims,
  type TokenVerifier,
  tokenAlgorithm,
  tokenIssuer,
} from './auth/tokens.ts';
export { decrypt, encrypt } from './cipher.ts';
export { csvDateTime, csvText, csvTime } from './csv/cells.ts';
export type { CsvExport } from './csv/csv-export.ts';
export { createExporter, keepExportTasks } from './csv/exporter.ts';
export { type Sql, sql } from './csv/sql.ts';
export { knownTimeZone } from './csv/time-zone.ts';
export { demoPassword } from './demo.ts';
export type { Asker } from './fair-queue.ts';
export { isGuessable, refuseGuessable } from './guessable-passwords.ts';
export { errorBody, languageOf, replyFor } from './http/error-reply.ts';
export { apiHeaders } from './http/headers.ts';
export { type Readiness, serveHealth } from './http/health.ts';
export {
  type Call,
  type Handler,
  type Implementation,
  implement,
  PageReply,
  StreamReply,
} from './http/implement.ts';
export type { Job } from './jobs.ts';
export { keptPartners } from './kept-partners.ts';
export {
  afterTry,
  countForNobody,
  isLocked,
  type LoginAttempts,
  noWrongPasswords,
} from './login-attempts.ts';
export { openMail, requestMail } from './mails.ts';
export { networkOf, oneCustomer } from './network.ts';
export { createPasswordQueue, type PasswordQueue, type Passwords } from './passwords.ts';
export { createPeers, type Peers, type PeerTransport } from './peers.ts';
export { createSeals, type Seals } from './seals.ts';
export {
  defineService,
  type Infrastructure,
  type RunningService,
  type ServiceContext,
  type ServiceDefinition,
  type ServiceParts,
} from './service.ts';
export { everything, type Outbox, ofPartner, type Store, type Transaction } from './store.ts';
export { type EventEnvelope, type EventHandler, on, onMany, partnerOf } from './subscriptions.ts';
export { callOf } from './telemetry/call-span.ts';
export { createRequestObserver } from './telemetry/requests.ts';
export type { Telemetry } from './telemetry/telemetry.ts';
export { transferCounter } from './telemetry/transfers.ts';
export { createHttpTransport } from './transport/http-transport.ts';
