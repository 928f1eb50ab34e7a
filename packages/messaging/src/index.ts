export { type Backoff, backoffDelay } from './backoff.ts';
export { createDeadLetters, type DeadLetter, type DeadLetters } from './dead-letters.ts';
export { createEvent, type EventDefinition, type EventEnvelope, type OutgoingEvent } from './event.ts';
export type {
  BroadcastSubscription,
  BusMessage,
  BusSubscription,
  EventBus,
  GroupSubscription,
} from './event-bus.ts';
export { createInProcessEventBus } from './in-process/in-process-event-bus.ts';
export { createInbox, type Inbox, type InboxOptions } from './inbox.ts';
export type { RunInTransaction } from './inbox-worker.ts';
export { messagingMigrations } from './migrations.ts';
export { appendRowsToOutbox, appendToOutbox, type SelectedRows } from './outbox.ts';
export { createRelay, type Relay, type RelayOptions } from './relay.ts';
export { inTransaction, pgExecutor, type SqlExecutor } from './sql-executor.ts';
export { type HandlerStats, type OutboxStats, readInboxStats, readOutboxStats } from './stats.ts';
export { type Subscription, subscription, subscriptionToMany } from './subscription.ts';
