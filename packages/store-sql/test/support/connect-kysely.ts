import { DatabaseSync } from 'node:sqlite';
import { engine } from '@watchword/server-testkit/servers/engine';
import { Kysely } from 'kysely';
import { postgresqlColumnTypes } from '../../src/dialects/postgresql/column-types.ts';
import { parseUrl } from '../../src/dialects/postgresql/connection/url.ts';
import { postgresqlDialect } from '../../src/dialects/postgresql/dialect.ts';
import { servingPools } from '../../src/dialects/postgresql/pools.ts';
import { sqliteColumnTypes } from '../../src/dialects/sqlite/column-types.ts';
import { sqliteDialect } from '../../src/dialects/sqlite/dialect.ts';
import { applicationId } from '../../src/dialects/sqlite/files/open-own.ts';
import { localConnection, shared } from '../../src/dialects/sqlite/threads/reader.ts';
import type { ColumnTypes } from '../../src/schema/column-types.ts';
import type { Schema } from '../../src/schema/schema.ts';
import type { TestDatabase } from './test-database.ts';

/** The query builder of a store, without the store. */
export interface Connected extends AsyncDisposable {
  readonly db: Kysely<Schema>;
  readonly types: ColumnTypes;
}

export async function connectKysely(database: TestDatabase): Promise<Connected> {
  if (engine === 'postgresql') {
    const { hot, other } = servingPools({ url: parseUrl(await database.location()) }, {}, 'test');
    return {
      db: new Kysely<Schema>({ dialect: postgresqlDialect(other) }),
      types: postgresqlColumnTypes,
      async [Symbol.asyncDispose]() {
        await Promise.all([hot.close(), other.close()]);
      },
    };
  }
  const connection = new DatabaseSync(database.file, { timeout: 1000 });
  connection.exec(`pragma application_id = ${applicationId}; pragma journal_mode = wal`);
  return {
    db: new Kysely<Schema>({ dialect: sqliteDialect(shared(localConnection(connection))) }),
    types: sqliteColumnTypes,
    [Symbol.asyncDispose]: async () => connection.close(),
  };
}
