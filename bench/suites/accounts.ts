import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFor, type Engine } from '@watchword/server-testkit/engine';
import { watchwordProcess } from '@watchword/server-testkit/process';
import { machine } from '../rounds/rounds.ts';

const accounts = 50_000;
/** Seconds for an import. */
const bound = 60;
const passwordHash = '$2b$10$G.zwhcCvqiw8ocr..Egupuq5zNMBFrE8mrsWQf4ltwTgSUF1jmDuy';

/**
 * The command that imports accounts with groups, states and hashes of passwords, and a repetition, which finds all of them. Over SQLite and
 * PostgreSQL, or the one that is named. Fails if one takes longer than the bound.
 */
export async function benchAccounts([only]: readonly string[]): Promise<void> {
  console.log(await machine());
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const over: string[] = [];
  try {
    const file = join(directory, 'people.jsonl');
    await writeFile(file, Array.from({ length: accounts }, (_, index) => lineOf(index)).join(''));
    for (const engine of (['sqlite', 'postgresql'] as const).filter((each) => (only ?? each) === each)) {
      const database = await databaseFor(join(directory, 'people.db'), engine);
      await run('migrate', '--database', database);
      for (const which of ['import', 'repetition']) {
        const seconds = await importAll(file, database, engine, which);
        if (seconds > bound) over.push(`${which}, ${engine}: ${seconds.toFixed(1)} s`);
      }
    }
  } finally {
    await rm(directory, { recursive: true });
  }
  if (over.length > 0) throw new Error(`longer than ${bound} s: ${over.join('; ')}`);
}

async function importAll(file: string, database: string, engine: Engine, which: string): Promise<number> {
  const started = performance.now();
  const stdout = await run('import', '--accounts', file, '--database', database);
  const seconds = (performance.now() - started) / 1000;
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${which}, ${engine}: ${stdout.trim()}`);
  return seconds;
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await watchwordProcess(args);
  if (code === 0) return stdout;
  throw new Error(`${stdout}${stderr}`);
}

function lineOf(index: number): string {
  const name = `person-${index}`;
  return `${JSON.stringify({
    ...{ username: name, passwordHash, email: `${name}@example.org`, emailVerified: true },
    ...{ groups: ['staff', `team-${index % 50}`], disabled: index % 100 === 0 },
  })}\n`;
}
