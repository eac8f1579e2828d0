export type { Databases, PostgresqlDatabase } from './postgresql/databases.ts';
export { connect, openTransaction, query, type Row, withConnection } from './postgresql/query.ts';
export {
  makeDataDirectory,
  type PostgresqlOptions,
  type PostgresqlServer,
  startPostgresql,
} from './postgresql/server.ts';
export { offerPostgresqlServer, postgresqlServer } from './postgresql/shared-server.ts';
export { type StandbyOptions, type StandbyServer, startStandby } from './postgresql/standby.ts';
