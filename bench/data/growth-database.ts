import { DatabaseSync } from 'node:sqlite';
import { query, withConnection } from '@watchword/testkit/postgresql';
import { tokensPerSegment } from './database-rows.ts';

/** What a database is filled with. */
export interface Sizes {
  readonly tokens: number;
  readonly clients: number;
  readonly accounts: number;
}

/** All tokens have this digest of their verifier (`packages/protocol/src/tokens/bearer-value.ts`). */
export interface Fill extends Sizes {
  readonly verifierHash: Uint8Array;
}

/** How an engine makes many rows. `i` counts them from 0. */
export interface Dialect {
  /** A table expression with the numbers from `first` to `last`. */
  numbers(first: number, last: number): string;
  /** A UUIDv7 with this time. */
  id(time: string): string;
  bytes(value: Uint8Array): string;
}

export const sqlite: Dialect = {
  numbers: (first, last) =>
    `(with recursive number (i) as (select ${first} union all select i + 1 from number where i < ${last}) select i from number)`,
  id: (time) => `cast(unhex(printf('%012x7%03x', ${time}, i % 4096)) || randomblob(8) as blob)`,
  bytes: (value) => `x'${Buffer.from(value).toString('hex')}'`,
};

export const postgresql: Dialect = {
  numbers: (first, last) =>
    `(select i from generate_series(${first}::int8, ${last}) as number (i)) as numbers`,
  id: (time) =>
    `decode(lpad(to_hex(${time}), 12, '0') || '7' || lpad(to_hex(i % 4096), 3, '0') ||
      substr(replace(gen_random_uuid()::text, '-', ''), 17), 'hex')`,
  bytes: (value) => `'\\x${Buffer.from(value).toString('hex')}'::bytea`,
};

const rowsPerStatement = 500_000;
const dayMs = 86_400_000;
/** Tokens were issued in these days, and are valid for years, so that another run finds them alive. */
const days = 30;
const years = 3650 * dayMs;
// The length of a real one; nobody can log in with it.
const passwordHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** The statements that fill a database that has the demo records. They need no answer of one another. */
function* statements({ numbers, id, bytes }: Dialect, fill: Fill): Generator<string> {
  const { tokens, clients, accounts, verifierHash } = fill;
  // Each client is the demo client under another name, with its secret, and gets refresh tokens too.
  const same = [
    ...['secret_hash', 'previous_secret_hash', 'previous_secret_valid_until', 'resource_server_id', 'scopes'],
    ...['skip_consent', 'is_trusted', 'tokens_valid_from', 'creation_date', 'revision'],
  ].join(', ');
  yield `insert into client (id, client_id, client_name, metadata, ${same})
    select 1000 + i, 'client-' || i, 'Client ' || i,
      replace(metadata, '"useRefreshTokens":false', '"useRefreshTokens":true'), ${same} from client, ${numbers(0, clients - 1)}
    where client_id = 'demo-service'`;
  yield `update number_sequence set last_number = ${1000 + clients} where sequence_name = 'client'`;
  const now = Date.now();
  yield `insert into account (username, id, password_hash, display_name, role_names, group_names,
      admin_principal, disabled, creation_date, revision)
    select 'person-' || i, 'account-' || i, '${passwordHash}', 'Person ' || i, '[]', '["staff"]', 0, 0, ${now}, 1
    from ${numbers(0, accounts - 1)}`;
  const creationOf = (i: string) => `(${now - days * dayMs} + ${i} * ${days * dayMs} / ${tokens})`;
  const creation = creationOf('i');
  const segment = `${creationOf(`(i / ${tokensPerSegment} * ${tokensPerSegment})`)} / 1000`;
  for (let first = 0; first < tokens; first += rowsPerStatement) {
    // Neighbours belong to different clients.
    yield `insert into access_token (id, verifier_hash, client_record_id, scopes, expires, creation_date, segment)
      select ${id(creation)}, ${bytes(verifierHash)}, 1000 + i * 7919 % ${clients}, 'read',
        ${creation} + ${years}, ${creation}, ${segment}
      from ${numbers(first, Math.min(tokens, first + rowsPerStatement) - 1)}`;
  }
}

/** Fills a database file that no server has open. */
export function fillSqlite(file: string, fill: Fill): void {
  const database = new DatabaseSync(file);
  // One transaction in memory writes each page once. Batches would write all pages of an index without order again and again.
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -5000000; begin');
  for (const statement of statements(sqlite, fill)) database.exec(statement);
  database.exec('commit; pragma journal_mode = wal');
  database.close();
}

export async function fillPostgresql(url: string, fill: Fill): Promise<void> {
  await withConnection(url, async (client) => {
    await client.query('set synchronous_commit = off');
    for (const statement of statements(postgresql, fill)) await client.query(statement);
    // What autovacuum does sooner or later; it would do it while the database is measured.
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
  });
}

/** Ids of tokens from all over the table: those that follow random times. */
export function sqliteIds(file: string, count: number): readonly Uint8Array[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const find = database.prepare('select id from access_token where id >= ? limit 1');
  const ids = randomTimes(count).map((key) => find.get(key)?.id as Uint8Array);
  database.close();
  return ids;
}

export async function postgresqlIds(url: string, count: number): Promise<readonly Uint8Array[]> {
  const sql = `select found.id from unnest($1::bytea[]) as random (id)
    cross join lateral (select id from access_token where id >= random.id order by id limit 1) as found`;
  const rows = await query(url, sql, [randomTimes(count)]);
  return rows.map(({ id }) => id as Uint8Array);
}

/** The beginning of a UUIDv7. */
function randomTimes(count: number): readonly Buffer[] {
  return Array.from({ length: count }, () => {
    const time = Buffer.alloc(6);
    // The last day is left out, so that each has a token that follows.
    time.writeUIntBE(Date.now() - Math.floor((1 + Math.random() * (days - 1)) * dayMs), 0, 6);
    return time;
  });
}
