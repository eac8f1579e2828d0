import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ServerProcess, startWatchword } from '../contestants/server-process.ts';
import { openForRows, rowWriter, timeOrderedBytes } from '../data/database-rows.ts';
import { httpLoad } from '../load/http-load.ts';
import type { Load } from '../load/pace.ts';
import { tokenRequest } from '../load/token-requests.ts';
import { median } from '../measure/statistics.ts';

const expiredTokens = 1_000_000;
const validTokens = 200_000;
const connections = 64;
const roundMs = 4000;
const maxRounds = 16;
const dayMs = 86_400_000;
const never = '86400';

/** Whether rows that expire together lie together: those of one lifetime do. */
type Place = 'scattered' | 'neighbours';

/**
 * How much the removal of a million expired tokens delays token requests. Two servers over copies of one database are loaded
 * in turn; one removes, the other one does not. The one that is not loaded sleeps.
 *
 * @param args `neighbours` for rows of one lifetime, and the folder of another checkout whose server removes
 */
export async function benchPurge(args: readonly string[]): Promise<void> {
  const place: Place = args.includes('neighbours') ? 'neighbours' : 'scattered';
  const checkout = args.find((each) => each !== place);
  const command = checkout && join(checkout, 'packages/server/bin/watchword.js');
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const servers: ServerProcess[] = [];
  try {
    const start = async (database: string, interval: string) => {
      const flags = ['--demo', '--purge-interval', interval];
      const server = await startWatchword(directory, database, flags, undefined, command);
      servers.push(server);
      return server;
    };
    await (await startWatchword(directory, 'still.db', ['--demo'], undefined, command)).stop();
    fill(join(directory, 'still.db'), place);
    await copyFile(join(directory, 'still.db'), join(directory, 'purged.db'));
    const still = await start('still.db', never);
    await load(still);
    still.sleep();
    const purging = await start('purged.db', '1');
    purging.sleep();
    console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}`);
    console.log(
      `${expiredTokens} expired tokens, ${place}, ${connections} connections, rounds of ${roundMs / 1000} s\n`,
    );
    await compare(still, purging, join(directory, 'purged.db'));
  } finally {
    for (const server of servers) server.wake();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(directory, { recursive: true });
  }
}

async function compare(still: ServerProcess, purging: ServerProcess, file: string): Promise<void> {
  const without: Load[] = [];
  const beside: Load[] = [];
  let expired = expiredTokens;
  for (let round = 0; round < maxRounds && expired > 0; round += 1) {
    without.push(await load(still));
    const measured = await load(purging);
    const left = countDead(file);
    // The first round finds code that is not compiled, the last one has nothing to remove for a part of its time.
    if (round > 0 && left > 0) beside.push(measured);
    const removed = ((expired - left) / roundMs) * 1000;
    console.log(
      `p99 without ${p99(without.slice(-1))}, beside ${p99([measured])}, removed ${removed.toFixed(0)}/s`,
    );
    expired = left;
  }
  const ratio = median(beside.map((result) => result.p99)) / median(without.map((result) => result.p99));
  const rate = (results: readonly Load[]) =>
    `${median(results.map(({ perSecond }) => perSecond)).toFixed(0)} requests/s`;
  console.log(`\nwithout: p99 ${p99(without)}, ${rate(without)}`);
  console.log(`beside the removal: p99 ${p99(beside)}, ${rate(beside)}`);
  console.log(`ratio of p99 ${ratio.toFixed(2)}; ${expired} expired tokens are left`);
}

function p99(results: readonly Load[]): string {
  return `${median(results.map((result) => result.p99)).toFixed(2)} ms`;
}

async function load(server: ServerProcess): Promise<Load> {
  server.wake();
  const { port } = server;
  const result = await httpLoad({
    port,
    connections,
    durationMs: roundMs,
    requests: { next: () => tokenRequest(port) },
  });
  server.sleep();
  return result;
}

function fill(file: string, place: Place): void {
  const database = openForRows(file);
  const client = Number(database.prepare('select max(id) as id from client').get()?.id);
  const write = rowWriter(database);
  const now = Date.now();
  for (let index = 0; index < expiredTokens + validTokens; index += 1) {
    const isExpired = index < expiredTokens;
    const timestamp = now - (isExpired ? 4 * dayMs : dayMs) + index;
    write('access_token', {
      id: timeOrderedBytes(timestamp),
      verifier_hash: randomBytes(32),
      client_record_id: client,
      scopes: 'read',
      // If lifetimes differ, rows that expire together do not lie together.
      expires: isExpired
        ? timestamp + dayMs + (place === 'scattered' ? (index % 1000) * 10_000 : 0)
        : now + dayMs,
      creation_date: timestamp,
      grant_id: null,
    });
  }
  write.end();
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

function countDead(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const count = database
    .prepare('select count(*) as expired from access_token where expires > 0 and expires < ?')
    .get(Date.now() - dayMs);
  database.close();
  return Number(count?.expired);
}
