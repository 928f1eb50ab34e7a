export { assertNoDrift, migrationsDir } from './author.ts';
export type { BinaryRow } from './binary-rows.ts';
export { createDatabase, type Database, type Executor, type Isolation, type PoolUse } from './database.ts';
export { isLockTimeout, isUniqueViolation } from './database-errors.ts';
export {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres/index.ts';
export { generateClient, generateClients } from './generate.ts';
export { keptPlan } from './kept-plan.ts';
export {
  contains,
  type ListRequest,
  likeContaining,
  likePattern,
  listPage,
  nearerRows,
  pageReply,
  type SortOrder,
  timeRange,
} from './list-query.ts';
export { inTimeRange, orderedBy, searchFor } from './list-sql.ts';
export { createListener, type Listener } from './listen.ts';
export { assertMigrated, migrate } from './migrate.ts';
export { type ProvisionedDatabase, provisionDatabase, serviceUrl } from './provision.ts';
export { type RawQueries, rawQueries } from './raw-queries.ts';
export { enterScope, type Scope } from './scope.ts';
export {
  createScopedPool,
  executorOf,
  type ScopedConnection,
  type ScopedPool,
  type ScopedTransaction,
} from './scoped-pool.ts';
export { selectedIds, slicesOf } from './selection.ts';
export { untilNoConflict } from './until-no-conflict.ts';
export { withClient } from './with-client.ts';
