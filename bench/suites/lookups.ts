import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { startWatchword } from '../contestants/server-process.ts';
import { openForRows } from '../data/database-rows.ts';
import { median } from '../measure/statistics.ts';

const defaultTokens = 10_000_000;
const tokensPerCommit = 500_000;
const distinctTokens = 200_000;
const rounds = 15;
const lookupsPerRound = 8000;
/** Lookups that share a snapshot, as on a busy server. */
const atOnce = 16;

/** Page cache in kB, memory map in MB. */
const candidates = [
  [2000, 0],
  [8000, 0],
  [32_000, 0],
  [128_000, 0],
  [2000, 64],
  [2000, 2047],
  [32_000, 2047],
] as const;

interface Candidate {
  readonly name: string;
  readonly db: DatabaseSync;
  readonly find: StatementSync;
}

/**
 * What it costs to find random tokens among many, by page cache and memory map of the connection that reads, while
 * another one writes and while it does not. All candidates take turns; what counts is processor time.
 *
 * @param args how many tokens
 */
export async function benchLookups([tokens = String(defaultTokens)]: readonly string[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  try {
    await (await startWatchword(directory)).stop();
    const file = join(directory, 'bench.db');
    fill(file, Number(tokens));
    console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}, ${tokens} tokens`);
    measure(file);
  } finally {
    await rm(directory, { recursive: true });
  }
}

function measure(file: string): void {
  const writer = new DatabaseSync(file);
  writer.exec('pragma synchronous = off');
  const write = writer.prepare('update registry_revision set revision = revision + 1');
  const ids = sample(writer);
  const all = candidates.map(([cache, map]) => open(file, cache, map));
  for (const lookupsPerCommit of [0, 1600, 160, 16]) {
    console.log(lookupsPerCommit === 0 ? '\nno commits' : `\na commit for each ${lookupsPerCommit} lookups`);
    const times = all.map((candidate) => ({ candidate, microseconds: [] as number[] }));
    for (let round = 0; round <= rounds; round += 1) {
      for (const { candidate, microseconds } of times) {
        const spent = lookUp(candidate, ids, () => write.run(), lookupsPerCommit);
        // The first round fills the cache.
        if (round > 0) microseconds.push(spent);
      }
    }
    for (const { candidate, microseconds } of times) {
      console.log(`${candidate.name}  ${median(microseconds).toFixed(2)} us`);
    }
  }
  for (const { db } of all) db.close();
  writer.close();
}

function open(file: string, cache: number, map: number): Candidate {
  const db = new DatabaseSync(file, { readOnly: true });
  db.exec(`pragma cache_size = -${cache}; pragma mmap_size = ${map * 2 ** 20}`);
  const find = db.prepare('select verifier_hash, scopes, expires, grant_id from access_token where id = ?');
  find.setReturnArrays(true);
  return { db, find, name: `cache ${String(cache).padStart(6)} kB, map ${String(map).padStart(4)} MB` };
}

/** Microseconds of each lookup. */
function lookUp(
  { db, find }: Candidate,
  ids: readonly Uint8Array[],
  write: () => void,
  lookupsPerCommit: number,
): number {
  let spent = 0;
  for (let done = 0; done < lookupsPerRound; done += atOnce) {
    if (lookupsPerCommit > 0 && done % lookupsPerCommit === 0) write();
    const started = processorTime();
    db.exec('begin');
    for (let each = 0; each < atOnce; each += 1) {
      find.get(ids[Math.floor(Math.random() * ids.length)] as Uint8Array);
    }
    db.exec('commit');
    spent += processorTime() - started;
  }
  return spent / lookupsPerRound;
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function fill(file: string, tokens: number): void {
  const database = openForRows(file);
  const first = Date.now() - 86_400_000;
  for (let start = 0; start < tokens; start += tokensPerCommit) {
    database.exec(`
      begin;
      with recursive number (i) as (
        select ${start} union all select i + 1 from number where i < ${Math.min(tokens, start + tokensPerCommit) - 1}
      )
      insert into access_token (id, verifier_hash, client_record_id, scopes, expires, creation_date)
        select cast(unhex(printf('%012x7%03x', ${first} + i / 100, i % 4096)) || randomblob(8) as blob),
          randomblob(32), 1 + i % 97, 'read', ${first + 2 * 86_400_000} + i, ${first} + i / 100
        from number;
      commit`);
  }
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

/** Ids of tokens from all over the table. */
function sample(database: DatabaseSync): Uint8Array[] {
  const { tokens } = database.prepare('select count(*) as tokens from access_token').get() ?? {};
  const every = Math.max(1, Math.floor(Number(tokens) / distinctTokens));
  const rows = database
    .prepare(
      `select id from (select id, row_number() over (order by id) as place from access_token) where place % ${every} = 0`,
    )
    .all();
  return rows.map(({ id }) => id as Uint8Array);
}
