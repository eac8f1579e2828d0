import type { Configuration } from './settings.ts';

/**
 * The database, and how it is used, as the store is given it. Times are in milliseconds.
 *
 * @param processes of a server, each with its own connections
 */
export function databaseOptions(configuration: Configuration, processes = 1) {
  return {
    database: configuration.database,
    postgresql: {
      urlFile: configuration.databaseUrlFile,
      processes,
      connections: configuration['postgresql.connections'],
      otherConnections: configuration['postgresql.otherConnections'],
      connectTimeout: configuration['postgresql.connectTimeout'] * 1000,
      statementTimeout: configuration['postgresql.statementTimeout'] * 1000,
      lockTimeout: configuration['postgresql.lockTimeout'] * 1000,
      preparedStatements: configuration['postgresql.preparedStatements'],
      listen: configuration.databaseListen,
    },
  };
}
