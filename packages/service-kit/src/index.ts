export { type ApiKeys, apiKeyCheck } from './auth/api-key.ts';
export {
  type Authority,
  admit,
  bearerOf,
  type Credentials,
  credentialsIn,
  identify,
  showsTenantKey,
} from './auth/authorise.ts';
export type { AdminCaller, AnyCaller, Caller, KeyCaller, TenantCaller } from './auth/caller.ts';
export { createInternalTokens, type InternalKeys } from './auth/internal-tokens.ts';
export { followRevocations, type Revocations, revocationsOf } from './auth/revocations.ts';
export {
  createTokenVerifier,
  isExpired,
  type KeySource,
  type TokenClaims,
  type TokenOptions,
  type TokenVerifier,
  tokenAlgorithm,
  tokenIssuer,
} from './auth/tokens.ts';
export { decrypt, encrypt } from './cipher.ts';
export { type Copy, copyOf, olderThanAll } from './copies/copy.ts';
export type { PartnerRows } from './copies/deleted-partners.ts';
export { copyOfPartners, keepPartners } from './copies/partner-copy.ts';
export {
  type AdminState,
  type ApplicationState,
  adminStates,
  applicationStates,
  type CertificationState,
  certificationStates,
  type DatabaseState,
  databaseStates,
  type GroupState,
  groupStates,
  type NotificationState,
  notificationStates,
  retoldUserStates,
  type SsoSettingState,
  type Stated,
  ssoSettingStates,
  type UnitState,
  type UserState,
  unitStates,
  userStates,
} from './copies/state-events.ts';
export { demoPassword } from './demo.ts';
export {
  createDirectStore,
  type DirectStore,
  type DirectTransaction,
  type SendingTransaction,
} from './direct-store.ts';
export { Answer, HtmlPage, WrittenJson } from './http/answer.ts';
export { errorBody, languageOf, replyFor } from './http/error-reply.ts';
export { apiHeaders } from './http/headers.ts';
export { type Readiness, serveHealth } from './http/health.ts';
export {
  type Call,
  type Handler,
  type Implementation,
  implement,
} from './http/implement.ts';
export { concernsRecord, concernsRecords } from './http/operation-log.ts';
export { endOfFront, streamedBody } from './http/stream-signals.ts';
export type { Job, JobRun } from './jobs.ts';
export { createKeyCipher, type KeyCipher, keyEncryptionKeys } from './key-cipher.ts';
export { type LeaseQueue, leaseQueue, type NewTask } from './lease-queue/lease-queue.ts';
export type { ClaimedTask } from './lease-queue/tasks.ts';
export { createWorker, type HeldTask, TaskLost, type Worker } from './lease-queue/worker.ts';
export { networkOf, oneCustomer } from './network.ts';
export { createPeers, type Peers, type PeerTransport } from './peers.ts';
export { resealJobs, type SealedColumn } from './reseal.ts';
export { ofPartner, ofUnit, systemScope } from './scopes.ts';
export { createSeals, type Seals } from './seals.ts';
export {
  defineService,
  type Infrastructure,
  type RunningService,
  type ServiceContext,
  type ServiceDefinition,
  type ServiceParts,
} from './service.ts';
export type { Outbox, Store, Transaction } from './store.ts';
export { type EventEnvelope, type EventHandler, on, onMany, partnerOf } from './subscriptions.ts';
export { callOf } from './telemetry/call-span.ts';
export { createRequestObserver } from './telemetry/requests.ts';
export type { Telemetry } from './telemetry/telemetry.ts';
export { transferCounter } from './telemetry/transfers.ts';
export { together } from './together.ts';
export { lostConnection } from './transport/lost-connection.ts';
