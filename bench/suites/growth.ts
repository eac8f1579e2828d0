import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type BenchDatabase, durable, startDatabase } from '../contestants/postgresql.ts';
import { startWatchword } from '../contestants/server-process.ts';
import { type Fill, fillPostgresql, fillSqlite, postgresqlIds, sqliteIds } from '../data/growth-database.ts';
import { postgresqlSizes, reportRows, sqliteSizes } from '../data/table-sizes.ts';
import { issueTokens, tokenInfoRequest, tokenRequest } from '../load/token-requests.ts';
import { connections, demoFlowLoad, requestLoad } from '../rounds/loads.ts';
import { type Contestant, machine, measureInRounds, roundMs, type Work } from '../rounds/rounds.ts';
import {
  type Grants,
  type HeldToken,
  type Holder,
  postgresqlRefreshTokens,
  refreshLoad,
  sqliteRefreshTokens,
} from './growth/refresh.ts';
import { logPosition, measureRows, reportLog } from './growth/rows.ts';
import { measureStarts } from './growth/start.ts';

const rounds = 15;
const distinctTokens = 100_000;
const filledRefreshTokens = 100_000;
const emptyRefreshTokens = 5000;
const logMs = 10_000;

/** Of every token that a database is filled with. */
const verifier = Buffer.alloc(32, 7);
const verifierHash = hash('sha256', verifier, 'buffer');

/** Nothing is lost if the machine dies while it is filled: it is filled again. */
const filling = {
  ...durable,
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/**
 * The start, token issue, token info and refresh over a database with many live tokens and clients, and over an empty one, of each engine
 * in turn. Then the bytes of each row, and of everything that a login leaves behind.
 *
 * @param args the directory in which the filled databases stay, for the next run (default: a temporary one); how many tokens
 */
export async function benchGrowth([kept = '', tokens = '10000000']: readonly string[]): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  resources.defer(() => rm(directory, { recursive: true }));
  // PostgreSQL runs as another user if this process is root.
  await chmod(directory, 0o711);
  const folder = kept || directory;
  await mkdir(folder, { recursive: true });
  const fill: Fill = { tokens: Number(tokens), clients: 100_000, accounts: 100_000, verifierHash };

  const prepare = async (place: string) => {
    const process = await startWatchword(directory, place);
    // The first grant, of which others are copies.
    await demoFlowLoad(process.port, 1);
    await process.stop();
  };
  const file = await made(join(folder, `sqlite-${tokens}.db`), async (making) => {
    await prepare(making);
    fillSqlite(making, fill);
  });
  const data = await made(join(folder, `postgresql-${tokens}`), async (making) => {
    await using server = await startDatabase(making, filling);
    await server.query(`create database ${name}`);
    await prepare(server.url(name));
    await fillPostgresql(server.url(name), fill);
  });
  const database = resources.use(await startDatabase(data));
  const empty = resources.use(await database.createDatabase());
  const emptyFile = join(directory, 'empty.db');
  const filled = database.url(name);
  for (const place of [emptyFile, empty.url]) await prepare(place);
  const ofAll: Grants = { count: filledRefreshTokens, clients: 'client.id >= 1000', verifierHash };
  const ofOne: Grants = { count: emptyRefreshTokens, clients: "client_id = 'demo-app'", verifierHash };
  const refreshTokens = [
    sqliteRefreshTokens(emptyFile, ofOne),
    sqliteRefreshTokens(file, ofAll),
    await postgresqlRefreshTokens(empty.url, ofOne),
    await postgresqlRefreshTokens(filled, ofAll),
  ];
  const start = async (place: string) => {
    const process = await startWatchword(directory, place);
    resources.defer(() => process.stop());
    return [process];
  };
  console.log(await machine(database));
  const places = {
    'SQLite, empty': emptyFile,
    'SQLite, filled': file,
    'PostgreSQL, empty': empty.url,
    'PostgreSQL, filled': filled,
  };
  await measureStarts(directory, places);
  const contestants = [
    { name: 'SQLite, empty', processes: await start(emptyFile) },
    { name: 'SQLite, filled', processes: await start(file) },
    { name: 'PostgreSQL, empty', processes: await start(empty.url), database },
    { name: 'PostgreSQL, filled', processes: await start(filled), database },
  ];
  console.log(`${tokens} tokens, ${fill.clients} clients, ${connections} connections to each process,`);
  console.log(`${rounds} rounds of ${roundMs / 1000} s each, medians\n`);
  const ids = {
    sqlite: sqliteIds(file, distinctTokens),
    postgresql: await postgresqlIds(filled, distinctTokens),
  };
  await measureInRounds(issuing(contestants, fill), rounds, comparisons);
  await measureInRounds(await asking(contestants, ids), rounds, comparisons);
  await measureInRounds(refreshing(contestants, refreshTokens), rounds, comparisons);
  await measureLog(issuing(contestants, fill), database);

  reportRows('SQLite', sqliteSizes(file), filledTables);
  reportRows('PostgreSQL', await postgresqlSizes(filled), filledTables);
  await measureRows(directory, database);
}

const name = 'growth';
const filledTables = ['access_token', 'client', 'account'];
const comparisons = [
  ['SQLite, filled', 'SQLite, empty'],
  ['PostgreSQL, filled', 'PostgreSQL, empty'],
] as const;

/** Makes a file or directory that is there only when it is complete. */
async function made(path: string, make: (making: string) => Promise<void>): Promise<string> {
  if (existsSync(path)) return path;
  const making = `${path}.filling`;
  await rm(making, { recursive: true, force: true });
  const started = performance.now();
  await make(making);
  await rename(making, path);
  console.log(`${path} filled in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return path;
}

/** Of every client that a database is filled with. */
const serviceSecret = 'demo-service-secret';
const isFilled = ({ name }: Contestant) => name.endsWith('filled');

/** In the filled databases any client asks for a token. */
function issuing(contestants: readonly Contestant[], { clients }: Fill): Work {
  const filledPorts = new Set(contestants.filter(isFilled).flatMap(portsOf));
  return {
    name: 'token issue',
    contestants,
    load: ({ port }, forMs) => {
      const demo = tokenRequest(port);
      const next = () =>
        tokenRequest(port, {
          clientId: `client-${Math.floor(Math.random() * clients)}`,
          secret: serviceSecret,
        });
      return requestLoad(port, forMs, filledPorts.has(port) ? next : () => demo);
    },
  };
}

/** In the filled databases any token is asked for. */
async function asking(
  contestants: readonly Contestant[],
  ids: Readonly<Record<'sqlite' | 'postgresql', readonly Uint8Array[]>>,
): Promise<Work> {
  const tokens = new Map<number, readonly string[]>();
  for (const contestant of contestants) {
    const of = contestant.database === undefined ? ids.sqlite : ids.postgresql;
    for (const port of portsOf(contestant)) {
      tokens.set(
        port,
        isFilled(contestant)
          ? of.map((id) => bearerValue('wwa_', id))
          : await issueTokens(port, 5000, connections),
      );
    }
  }
  return {
    name: 'token info',
    contestants,
    load: ({ port }, forMs) => {
      const own = tokens.get(port) ?? [];
      let next = 0;
      return requestLoad(port, forMs, () => {
        next = (next + 1) % own.length;
        return tokenInfoRequest(port, own[next] ?? '');
      });
    },
  };
}

/** In the filled databases any client refreshes. */
function refreshing(
  contestants: readonly Contestant[],
  refreshTokens: readonly (readonly HeldToken[])[],
): Work {
  const holders = new Map<number, Holder[]>();
  contestants.forEach((contestant, index) => {
    const held = refreshTokens[index]?.map(({ id, clientId }) => ({
      client: { clientId, secret: isFilled(contestant) ? serviceSecret : 'demo-app-client-secret' },
      refreshToken: bearerValue('wwr_', id),
    }));
    for (const port of portsOf(contestant)) holders.set(port, held ?? []);
  });
  return {
    name: 'refresh',
    contestants,
    load: ({ port }, forMs) => refreshLoad(port, forMs, holders.get(port) ?? []),
  };
}

function portsOf({ processes }: Contestant): readonly number[] {
  return processes.map(({ port }) => port);
}

function bearerValue(prefix: 'wwa_' | 'wwr_', id: Uint8Array): string {
  const body = `${prefix}${Buffer.concat([id, verifier]).toString('base64url')}`;
  const checksum = Buffer.allocUnsafe(4);
  checksum.writeUInt32BE(crc32(body));
  return body + checksum.toString('base64url');
}

/** The bytes that PostgreSQL writes to its log for a token, which a replica and an archive of the log receive. */
async function measureLog({ contestants, load }: Work, database: BenchDatabase): Promise<void> {
  const [process] = contestants.at(-1)?.processes ?? [];
  if (process === undefined) return;
  const before = await logPosition(database);
  const { done } = await load(process, logMs);
  reportLog('token', (await logPosition(database)) - before, done);
}
