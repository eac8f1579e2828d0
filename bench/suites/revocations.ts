import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { startWatchword } from '../contestants/server-process.ts';
import { running, temporaryDirectory } from '../contestants/temporary.ts';
import { openForRows, rowWriter, timeOrderedBytes } from '../data/database-rows.ts';
import { peakMemory } from '../measure/peak-memory.ts';
import { machine } from '../rounds/rounds.ts';

const rounds = 8;
const atOnce = 20;
const dayMs = 86_400_000;
const credentials = btoa('demo-resource-server:demo-resource-server-secret');

/**
 * What other requests wait while twenty processes of an API ask for the whole list of revocations at once. One more token is revoked
 * before each round. With `recent`, all entries are of the last half minute, as after an incident.
 *
 * @param checkout the directory of another checkout, whose server is measured instead
 */
export async function benchRevocations(args: readonly string[]): Promise<void> {
  const [number = '100000', age = 'day', checkout] = args;
  const entries = Number(number);
  await using resources = new AsyncDisposableStack();
  const directory = await temporaryDirectory(resources);
  const command = checkout && join(checkout, 'packages/server/bin/watchword.js');
  const start = () => startWatchword(directory, 'bench.db', ['--demo'], undefined, command);
  await (await start()).stop();
  const file = join(directory, 'bench.db');
  const period = age === 'recent' ? 30_000 : dayMs / 2;
  fill(file, entries, period);
  const server = await running(resources, start());
  console.log(await machine());
  console.log(`${entries} revocations of the last ${period / 1000} s, ${atOnce} requests at once`);
  const idle = peakMemory(server.processId);
  for (let round = 0; round < rounds; round += 1) {
    revoke(file);
    const alone = await beside(server.port, () => new Promise((resolve) => setTimeout(resolve, 1000)));
    const begin = performance.now();
    const processor = server.cpuSeconds();
    let size = 0;
    const loaded = await beside(server.port, async () => {
      const sizes = await Promise.all(Array.from({ length: atOnce }, () => sizeOfList(server.port)));
      size = Math.max(...sizes);
    });
    const elapsed = performance.now() - begin;
    const seconds = server.cpuSeconds() - processor;
    console.log(
      `  /healthz alone ${alone}; beside ${loaded}; all lists (${(size / 1e6).toFixed(1)} MB each) after ` +
        `${elapsed.toFixed(0)} ms, ${seconds.toFixed(2)} s of processor time; ` +
        `peak ${peakMemory(server.processId)} MB (idle ${idle})`,
    );
  }
}

/** Latencies of small requests during the work. */
async function beside(port: number, work: () => Promise<unknown>): Promise<string> {
  const probe = new Worker(new URL('./revocations/probe.ts', import.meta.url), { workerData: port });
  await once(probe, 'message');
  await work();
  probe.postMessage('end');
  const [latencies] = (await once(probe, 'message')) as [readonly number[]];
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (part: number) =>
    (sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} ms`;
}

function fill(file: string, entries: number, period: number): void {
  const database = openForRows(file);
  database.exec(
    `update resource_server set metadata = json_set(metadata, '$.accessTokenFormat', 'jwt') where server_key = 'demo-resource-server'`,
  );
  const write = rowWriter(database);
  const now = Date.now();
  for (let index = 0; index < entries; index += 1) {
    write('revoked_token', revokedToken(database, now - Math.floor((period * index) / entries)));
  }
  write.end();
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

function revoke(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('pragma busy_timeout = 5000');
  const write = rowWriter(database);
  write('revoked_token', revokedToken(database, Date.now()));
  write.end();
  database.close();
}

const clients = new WeakMap<DatabaseSync, number>();

function revokedToken(database: DatabaseSync, revokedAt: number) {
  const client =
    clients.get(database) ??
    Number(
      database
        .prepare(
          `select max(id) as id from client where resource_server_id in (select id from resource_server where server_key = 'demo-resource-server')`,
        )
        .get()?.id,
    );
  clients.set(database, client);
  return {
    id: timeOrderedBytes(revokedAt - 1000),
    client_record_id: client,
    expires: Date.now() + dayMs,
    revoked_at: revokedAt,
  };
}

/** Bytes. */
async function sizeOfList(port: number): Promise<number> {
  const request = get({
    port,
    path: '/oauth2/revocations',
    agent: new Agent(),
    headers: { authorization: `Basic ${credentials}` },
  });
  const [response] = await once(request, 'response');
  if (response.statusCode !== 200) throw new Error(`the server answered ${response.statusCode}`);
  let size = 0;
  response.on('data', (part: Buffer) => {
    size += part.length;
  });
  await once(response, 'end');
  return size;
}
