import { randomBytes } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

const rowsPerCommit = 50_000;

type Row = Readonly<Record<string, string | number | Uint8Array | null>>;

export interface RowWriter {
  (table: string, row: Row): void;
  end(): void;
}

/** As one server divides them (`packages/store-sql/src/grants/token-segments.ts`), without the one more that each day begins. */
export const tokensPerSegment = 65_536;

/** Writes rows past all ports: a million through them would take as many signatures of nothing. */
export function rowWriter(database: DatabaseSync): RowWriter {
  const statements = new Map<string, StatementSync>();
  let written = 0;
  const write = (table: string, row: Row) => {
    if (written % rowsPerCommit === 0) database.exec(written === 0 ? 'begin' : 'commit; begin');
    written += 1;
    let statement = statements.get(table);
    if (statement === undefined) {
      const columns = Object.keys(row);
      statement = database.prepare(
        `insert into "${table}" (${columns.map((column) => `"${column}"`)}) values (${columns.map(() => '?')})`,
      );
      statements.set(table, statement);
    }
    statement.run(...Object.values(row));
  };
  return Object.assign(write, { end: () => database.exec('commit') });
}

/** A UUIDv7: the time, then random bits. */
export function timeOrderedBytes(timestamp: number): Buffer {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(timestamp, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes;
}

/** A migrated database that no server has open, to be filled quickly. */
export function openForRows(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off; pragma journal_mode = wal; pragma cache_size = -200000');
  return database;
}
