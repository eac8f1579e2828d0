export type { LoginEvent, PrimaryEvent } from './database-events.ts';
export { DatabaseOpenError } from './database-open-error.ts';
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
export { type BackupReport, backupSqlite } from './dialects/sqlite/backup.ts';
export { checkSqlite } from './dialects/sqlite/check.ts';
export {
  migrateSqlite,
  openSqliteServerStore,
  openSqliteStore,
  type SqliteOptions,
} from './dialects/sqlite/open.ts';
export { filesOf, ownerAdvice } from './dialects/sqlite/owners.ts';
export {
  previewRestore,
  type RestoreOptions,
  type RestorePreview,
  type RestoreReport,
  restoreSqlite,
} from './dialects/sqlite/restore.ts';
export { actAsOwnerOf, asOwnerOf, becomeOwnerOf } from './dialects/sqlite/rights.ts';
export type { BatchSpans, HotObserver } from './hot/batch-spans.ts';
export type { LeaseState, LeaseStore } from './leases.ts';
export type { RegistryStatistics } from './memory-registry.ts';
export {
  type Inspection,
  type MigrationExtent,
  type MigrationReport,
  type PendingMigration,
  type SeenServers,
  type ServedSchemas,
  servedSchemas,
  wasEmpty,
} from './migrate.ts';
export type { MoveProgress, MoveReport } from './moving/move-data.ts';
export type { EndedByRestore } from './purge/issued.ts';
export type { Pace, PurgeOptions, PurgeReport } from './purge.ts';
export type { RecordCounts } from './record-counts.ts';
export type {
  ConnectionCounts,
  DatabaseCheck,
  Examination,
  PrimaryServer,
  ServerStore,
  Store,
} from './store.ts';
