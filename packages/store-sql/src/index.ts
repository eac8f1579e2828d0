export type { RegistryStatistics } from './memory-registry.ts';
export type { Pace, ReapOptions, ReapReport } from './reaper.ts';
export { type BackupReport, backupSqlite } from './sqlite/backup.ts';
export { checkSqlite } from './sqlite/check.ts';
export type { EndedByRestore } from './sqlite/new-epoch.ts';
export {
  migrateSqlite,
  openSqliteServerStore,
  openSqliteStore,
  type SqliteOptions,
} from './sqlite/open.ts';
export { type RestoreOptions, type RestoreReport, restoreSqlite } from './sqlite/restore.ts';
export { DatabaseOpenError } from './sqlite/store-errors.ts';
export type { Examination, MigrationReport, ServerStore, Store } from './store.ts';
