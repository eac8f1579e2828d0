import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { type BenchDatabase, startDatabase } from '../../contestants/postgresql.ts';
import { type ServerProcess, startWatchword } from '../../contestants/server-process.ts';
import { running, temporaryDirectory } from '../../contestants/temporary.ts';
import { postgresqlSizes, reportGrown, reportLogin, sqliteSizes } from '../../data/table-sizes.ts';
import { tokenResponseOf } from '../../load/flow-load.ts';
import { httpLoad } from '../../load/http-load.ts';
import type { Load } from '../../load/pace.ts';
import { refreshTokens, rotations } from '../../load/rotations.ts';
import { connections, demoApp, demoFlowLoad, watchwordFlows } from '../../rounds/loads.ts';
import { machine } from '../../rounds/rounds.ts';

/** So many that a page more or less does not count. */
const most = 10_000;
const durationMs = 2000;

/** What logins and refreshes leave behind in new databases of each engine: bytes, write-ahead log, and the processor time of it. */
export async function benchRows(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const directory = await temporaryDirectory(resources);
  // PostgreSQL runs as another user if this process is root.
  await chmod(directory, 0o711);
  const database = resources.use(await startDatabase());
  console.log(await machine(database));
  await measureRows(directory, database);
}

export async function measureRows(directory: string, database: BenchDatabase): Promise<void> {
  await using made = await database.createDatabase();
  for (const [engine, place] of [['SQLite', 'logins.db'] as const, ['PostgreSQL', made.url] as const]) {
    await using resources = new AsyncDisposableStack();
    const server = await running(resources, startWatchword(directory, place));
    const used = engine === 'SQLite' ? undefined : database;
    const sizes = () => (used === undefined ? sqliteSizes(join(directory, place)) : postgresqlSizes(place));
    await measure(`${engine}, login`, server, used, () => demoFlowLoad(server.port, durationMs));
    reportLogin(engine, await sizes());
    const first = await refreshTokens(connections, () =>
      tokenResponseOf(watchwordFlows(server.port), demoApp),
    );
    const requests = rotations(server.port, first, demoApp);
    const before = await sizes();
    const refreshes = await measure(`${engine}, refresh`, server, used, () =>
      httpLoad({ port: server.port, connections, durationMs, requests }),
    );
    reportGrown(`${engine}, refresh`, before, await sizes(), refreshes);
  }
}

/** Loads the server until enough is done. Resolves with how much that is. */
async function measure(
  what: string,
  server: ServerProcess,
  database: BenchDatabase | undefined,
  load: () => Promise<Load>,
): Promise<number> {
  const usage = async () => ({
    server: server.cpuSeconds(),
    database: database?.cpuSeconds() ?? 0,
    log: database === undefined ? 0 : await logPosition(database),
  });
  const before = await usage();
  let done = 0;
  while (done < most) done += (await load()).done;
  const after = await usage();
  const each = (of: 'server' | 'database') => `${(((after[of] - before[of]) * 1e6) / done).toFixed(0)} us`;
  console.log(
    `\n${what}: ${done}, processor time each: server ${each('server')}, database ${each('database')}`,
  );
  if (database !== undefined) reportLog(what, after.log - before.log, done);
  return done;
}

export async function logPosition(database: BenchDatabase): Promise<number> {
  const [row] = await database.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8 as bytes");
  return Number(row?.bytes);
}

export function reportLog(what: string, bytes: number, done: number): void {
  console.log(`write-ahead log of PostgreSQL: ${(bytes / done).toFixed(0)} bytes each ${what}`);
}
