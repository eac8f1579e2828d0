import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFor } from '@watchword/server-testkit/servers/engine';
import { machine } from '../rounds/rounds.ts';
import { runCommand, timedCommand } from '../rounds/timed-command.ts';

const clients = 10_000;
/** Seconds for a command. */
const bound = 5;
const env = { SECRET: 'a secret that nobody guesses' };

/**
 * The command that applies a file of 10,000 clients, and a plan of it, which finds nothing to do. Over SQLite and PostgreSQL, or the one that
 * is named. Fails if one takes longer than the bound.
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
      await runCommand(['migrate', '--database', database]);
      for (const command of ['apply', 'plan'] as const) {
        const args = [command, file, '--database', database];
        over.push(...(await timedCommand(`${command}, ${engine}`, bound, args, env)));
      }
    }
  } finally {
    await rm(directory, { recursive: true });
  }
  if (over.length > 0) throw new Error(`longer than ${bound} s: ${over.join('; ')}`);
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
