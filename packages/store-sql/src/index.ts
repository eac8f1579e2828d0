export { DatabaseOpenError } from './database-open-error.ts';
export {
  migratePostgresql,
  openPostgresqlServerStore,
  openPostgresqlStore,
} from './dialects/postgresql/open.ts';
export type { PostgresqlOptions, PostgresqlSettings } from './dialects/postgresql/options.ts';
export { type BackupReport, backupSqlite } from './dialects/sqlite/backup.ts';
export { checkSqlite } from './dialects/sqlite/check.ts';
export type { EndedByRestore } from './dialects/sqlite/new-epoch.ts';
export {
  migrateSqlite,
  openSqliteServerStore,
  openSqliteStore,
  type SqliteOptions,
} from './dialects/sqlite/open.ts';
export { type RestoreOptions, type RestoreReport, restoreSqlite } from './dialects/sqlite/restore.ts';
export type { LeaseState, LeaseStore } from './leases.ts';
export type { RegistryStatistics } from './memory-registry.ts';
export type { Pace, PurgeOptions, PurgeReport } from './purge.ts';
export type {
  Examination,
  MigrationExtent,
  MigrationReport,
  PendingMigration,
  ServerStore,
  Store,
} from './store.ts';
