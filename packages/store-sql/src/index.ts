export type { RegistryStatistics } from './memory-registry.ts';
export type { ReapOptions, ReapReport } from './reaper.ts';
export {
  migrateSqlite,
  openSqliteServerStore,
  openSqliteStore,
  type SqliteOptions,
} from './sqlite/open.ts';
export { DatabaseOpenError } from './sqlite/store-errors.ts';
export type { MigrationReport, ServerStore, Store } from './store.ts';
