import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { clientRowColumns } from '../../hot/client-row.ts';
import { hexRowReader } from '../../hot/column-functions.ts';
import type { TravellingValue } from '../../hot/columns.ts';
import type { HotWork } from '../../hot/hot-work.ts';
import type { LookupCall } from '../../hot/lookup.ts';
import { statements } from '../../hot/statements.ts';
import { changesAfter, noRevision, type RegistrySnapshot } from '../../records/registry-changes.ts';
import { toSqliteError } from './files/sqlite-errors.ts';
import { toStoreError } from './files/store-errors.ts';
import { commandText, lookupText } from './threads/sqlite-text.ts';
import type { SqliteWriter } from './threads/writer.ts';

/** Reads from one state of the database, also during writes; on a connection that has a transaction open, from that. */
function inSnapshot<Value>(reader: DatabaseSync, read: () => Value): Value {
  if (reader.isTransaction) return reading(read);
  return reading(() => {
    reader.exec('begin');
    try {
      return read();
    } finally {
      reader.exec('commit');
    }
  });
}

/** Reads by one statement, which is a snapshot of its own. */
function reading<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw toStoreError(toSqliteError(error));
  }
}

interface PreparedLookup {
  readonly statement: StatementSync;
  readonly toRow: ReturnType<typeof hexRowReader>;
}

type Rows<Table extends 'resourceServers' | 'clients'> = ReturnType<RegistrySnapshot[Table]>;

/**
 * Hot work on SQLite. Writes go to the thread that has the writing connection. Reads run immediately on the connection of
 * this thread, which no writer blocks in WAL mode: a row that is found by its key costs less than a message to another thread.
 */
export function sqliteHotWork(writer: Pick<SqliteWriter, 'commit'>, reader: DatabaseSync): HotWork {
  const prepared = new Map<LookupCall['lookup'], PreparedLookup>();
  const preparedOf = (lookup: LookupCall['lookup']): PreparedLookup => {
    const known = prepared.get(lookup);
    if (known !== undefined) return known;
    const statement = reader.prepare(lookupText(lookup));
    statement.setReturnArrays(true);
    const made = { statement, toRow: hexRowReader(lookup.found) };
    prepared.set(lookup, made);
    return made;
  };
  const find = ({ lookup, parameters }: LookupCall) => {
    const { statement, toRow } = preparedOf(lookup);
    const values = statement.get(...(parameters as readonly (string | number)[]));
    return values && toRow(values as unknown as TravellingValue[]);
  };
  let registry: (() => RegistrySnapshot) | undefined;

  return {
    hasShards: false,
    commit: (commands) => writer.commit(commands),
    // One snapshot for all lookups, because the begin of a snapshot costs as much as finding a row. A single statement has its own.
    read: async (calls) => {
      const findAll = () => calls.map(find);
      return calls.length === 1 ? reading(findAll) : inSnapshot(reader, findAll);
    },
    async changesSince(revision) {
      const read = registry ?? registryReader(reader);
      registry = read;
      return inSnapshot(reader, () => changesAfter(revision, read()));
    },
  };
}

/** Finds missing tables and columns when the database is opened, before anything is changed. @throws Error of SQLite */
export function requireTables(db: DatabaseSync): void {
  for (const statement of Object.values(statements)) db.prepare(commandText(statement));
}

/** Reads the registered records in the open snapshot. */
function registryReader(reader: DatabaseSync): () => RegistrySnapshot {
  const numbers = reader.prepare('select revision, purged_revision from registry_revision where id = 1');
  const resourceServers = reader.prepare('select * from resource_server where revision > ?');
  const selectClients = `select ${clientRowColumns((column) => `hex(${column})`)} from client`;
  // The index by revision would find all clients in the order of their last changes: 0.8 s instead of 0.25 for 100,000.
  const allClients = reader.prepare(selectClients);
  const changedClients = reader.prepare(`${selectClients} where revision > ?`);
  for (const statement of [allClients, changedClients]) statement.setReturnArrays(true);
  return () => {
    const row = numbers.get();
    return {
      revision: Number(row?.revision),
      purgedRevision: Number(row?.purged_revision),
      resourceServers: (since) =>
        resourceServers.iterate(since) as Iterable<unknown> as Rows<'resourceServers'>,
      clients: (since) => {
        const found = since === noRevision ? allClients.iterate() : changedClients.iterate(since);
        return found as Iterable<unknown> as Rows<'clients'>;
      },
    };
  };
}
