import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFor, type Engine } from '@watchword/server-testkit/engine';
import { watchwordProcess } from '@watchword/server-testkit/process';
import { familySeconds } from '../measure/processor-time.ts';
import { machine } from '../rounds/rounds.ts';

const clients = 10_000;
/** Seconds of processor time for a command: other work on the machine must not decide. */
const bound = 5;
const env = { SECRET: 'a secret that nobody guesses' };

/**
 * The command that applies a file of 10,000 clients, and a plan of it, which finds nothing to do. Over SQLite and PostgreSQL, or the one that
 * is named. Fails if one needs more than the bound.
 */
export async function benchConfiguration([only]: readonly string[]): Promise<void> {
  console.log(await machine());
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const over: string[] = [];
  try {
    const file = join(directory, 'clients.yaml');
    await writeFile(file, configuration());
    for (const engine of (['sqlite', 'postgresql'] as const).filter((each) => (only ?? each) === each)) {
      const database = await databaseFor(join(directory, 'clients.db'), engine);
      await run('migrate', '--database', database);
      for (const command of ['apply', 'plan'] as const) {
        const seconds = await measured(command, file, database, engine);
        if (seconds > bound) over.push(`${command}, ${engine}: ${seconds.toFixed(1)} s`);
      }
    }
  } finally {
    await rm(directory, { recursive: true });
  }
  if (over.length > 0) throw new Error(`more than ${bound} s of processor time: ${over.join('; ')}`);
}

async function measured(
  command: 'apply' | 'plan',
  file: string,
  database: string,
  engine: Engine,
): Promise<number> {
  const started = performance.now();
  const before = familySeconds(process.pid);
  const stdout = await run(command, file, '--database', database);
  const seconds = familySeconds(process.pid) - before;
  const elapsed = ((performance.now() - started) / 1000).toFixed(1);
  const said = stdout.trim().split('\n').at(-1);
  console.log(`${seconds.toFixed(1).padStart(6)} s, elapsed ${elapsed} s  ${command}, ${engine}: ${said}`);
  return seconds;
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await watchwordProcess(args, { env });
  if (code === 0) return stdout;
  throw new Error(`${stdout}${stderr}`);
}

function configuration(): string {
  const head = `version: 1
name: many
resourceServers:
  - key: api
    name: API
    contactName: Ann
    secret: env:SECRET
    scopes: [{ name: read }]
clients:
`;
  return head + Array.from({ length: clients }, (_, index) => client(index)).join('');
}

function client(index: number): string {
  return `  - clientId: client-${index}
    resourceServer: api
    clientName: Client ${index}
    contactName: Ann
    secret: env:SECRET
    scopes: [read]
    redirectUris: [https://client-${index}.example/callback]
`;
}
