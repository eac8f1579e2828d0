import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFor, type Engine } from '@watchword/server-testkit/servers/engine';
import { startWatchword } from '../contestants/server-process.ts';
import { machine } from '../rounds/rounds.ts';
import { runCommand, timedCommand } from '../rounds/timed-command.ts';

const accounts = 50_000;
/** Seconds for an import. */
const bound = 60;
const passwordHash = '$2b$10$G.zwhcCvqiw8ocr..Egupuq5zNMBFrE8mrsWQf4ltwTgSUF1jmDuy';

/**
 * The command that imports accounts with groups, states and hashes of passwords, and a repetition, which finds all of them; then one that
 * imports others over the network, without hashes. Over SQLite and PostgreSQL, or the one that is named. Fails if one takes longer than
 * the bound.
 */
export async function benchAccounts([only]: readonly string[]): Promise<void> {
  console.log(await machine());
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const over: string[] = [];
  try {
    const file = await writePeople(directory, 'people', { passwordHash });
    for (const engine of (['sqlite', 'postgresql'] as const).filter((each) => (only ?? each) === each)) {
      const database = await databaseFor(join(directory, 'people.db'), engine);
      await runCommand(['migrate', '--database', database]);
      for (const which of ['import', 'repetition']) {
        const args = ['import', '--accounts', file, '--database', database];
        over.push(...(await timedCommand(`${which}, ${engine}`, bound, args)));
      }
      over.push(...(await importOverNetwork(directory, database, engine)));
    }
  } finally {
    await rm(directory, { recursive: true });
  }
  if (over.length > 0) throw new Error(`longer than ${bound} s: ${over.join('; ')}`);
}

/** By a machine with a right, at a server that serves. */
async function importOverNetwork(directory: string, database: string, engine: Engine): Promise<string[]> {
  const file = await writePeople(directory, 'others', {});
  // Its first start registers the administration.
  const server = await startWatchword(directory, database, ['--authenticator', 'password']);
  try {
    const on = ['--database', database];
    const names = ['--name', 'robot', '--resource-server', 'authorization-server-admin'];
    const may = ['--scope', 'read', '--scope', 'write', '--allow-client-credentials'];
    const created = await runCommand(['client', 'create', ...names, ...may, ...on, '--json']);
    const { clientId, secret } = JSON.parse(created);
    await runCommand(['right', 'give', clientId, 'accounts:write', ...on]);
    const args = ['import', '--accounts', file, '--url', `http://127.0.0.1:${server.port}`];
    const env = { WATCHWORD_ADMIN_CLIENT_ID: clientId, WATCHWORD_ADMIN_CLIENT_SECRET: secret };
    return await timedCommand(`over the network, ${engine}`, bound, args, env);
  } finally {
    await server.stop();
  }
}

async function writePeople(directory: string, name: string, more: object): Promise<string> {
  const file = join(directory, `${name}.jsonl`);
  const lines = Array.from({ length: accounts }, (_, index) => lineOf(`${name}-${index}`, index, more));
  await writeFile(file, lines.join(''));
  return file;
}

function lineOf(username: string, index: number, more: object): string {
  return `${JSON.stringify({
    ...{ username, email: `${username}@example.org`, emailVerified: true, ...more },
    ...{ groups: ['staff', `team-${index % 50}`], disabled: index % 100 === 0 },
  })}\n`;
}
