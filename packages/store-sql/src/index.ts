export type { RegistryStatistics } from './memory-registry.ts';
export type { ReapOptions, ReapReport } from './reaper.ts';
export { checkSqlite } from './sqlite/check.ts';
export {
  migrateSqlite,
  openSqliteServerStore,
  openSqliteStore,
  type SqliteOptions,
} from './sqlite/open.ts';
export { DatabaseOpenError } from './sqlite/store-errors.ts';
export type { Examination, MigrationReport, ServerStore, Store } from './store.ts';
