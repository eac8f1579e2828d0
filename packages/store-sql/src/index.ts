export {
  checkDatabase,
  type DatabaseOptions,
  dialectOf,
  inspect,
  migrate,
  moveBetween,
  openServerStore,
  openStore,
  type PreparedServerStore,
  prepareServerStore,
  recordCounts,
  type ServerStoreOptions,
  type StoreOptions,
  shownDatabase,
} from './dialects/open.ts';
export { checkSqlite } from './dialects/sqlite/check.ts';
export { type BackupReport, backupSqlite } from './dialects/sqlite/files/copy-database.ts';
export { filesOf, ownerAdvice } from './dialects/sqlite/files/owners.ts';
export { actAsOwnerOf, asOwnerOf, becomeOwnerOf } from './dialects/sqlite/files/rights.ts';
export { memoryDatabase } from './dialects/sqlite/memory.ts';
export {
  migrateSqlite,
  openSqliteServerStore,
  openSqliteStore,
  type SqliteOptions,
} from './dialects/sqlite/open.ts';
export {
  previewRestore,
  type RestoreOptions,
  type RestorePreview,
  type RestoreReport,
  restoreSqlite,
} from './dialects/sqlite/restore.ts';
export type { BatchSpans, HotObserver } from './hot/batch-spans.ts';
export type { MoveProgress, MoveReport } from './moving/move-data.ts';
export type { EndedByRestore } from './purge/issued.ts';
export type { Pace, PurgeOptions, PurgeReport } from './purge/purge.ts';
export type { RegistryStatistics } from './records/memory-registry.ts';
export { DatabaseOpenError } from './schema/database-open-error.ts';
export {
  type Inspection,
  type MigrationExtent,
  type MigrationReport,
  type PendingMigration,
  type SeenServers,
  type ServedSchemas,
  servedSchemas,
  wasEmpty,
} from './schema/migrate.ts';
export type { RecordCounts } from './schema/record-counts.ts';
export type { LoginEvent, PrimaryEvent } from './store/database-events.ts';
export type {
  ConnectionCounts,
  DatabaseCheck,
  Examination,
  PrimaryServer,
  ServerStore,
  Store,
} from './store/store.ts';
export type { LeaseState, LeaseStore } from './work/leases.ts';
