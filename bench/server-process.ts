import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FlowClient } from './flow-load.ts';
import { type ThreadKind, threadSeconds } from './processor-time.ts';

export const watchword = fileURLToPath(new URL('../packages/server/bin/watchword.js', import.meta.url));
const bareServer = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
const oidcProviderServer = fileURLToPath(new URL('./oidc-provider-server.ts', import.meta.url));

/** A server in a process of its own, as a benchmark sees it. */
export interface ServerProcess {
  readonly port: number;
  /** Resident memory in MB. */
  memory(): number;
  /** Processor time that its threads of each kind have used so far, in seconds. */
  threadSeconds(): ReadonlyMap<ThreadKind, number>;
  /** Lets it do nothing until it is woken: what another is measured beside. */
  sleep(): void;
  wake(): void;
  stop(): Promise<void>;
}

/**
 * The real server, with its log in a file.
 *
 * @param database a file in the directory or elsewhere, or the URL of a PostgreSQL database
 * @param flags default: demo mode, as a newcomer starts it
 * @param port default: a free one
 * @param command default: that of this checkout
 */
export async function startWatchword(
  directory: string,
  database = 'bench.db',
  flags: readonly string[] = ['--demo'],
  port?: number,
  command: string = watchword,
): Promise<ServerProcess> {
  port ??= await freePort();
  const log = openSync(join(directory, 'server.log'), 'a');
  const child = spawn(process.execPath, [command, 'serve', ...flags, '--port', String(port)], {
    stdio: ['ignore', log, 'inherit'],
    // Not a flag: a URL has a password.
    env: {
      ...process.env,
      WATCHWORD_DATABASE: database.includes('://') ? database : resolve(directory, database),
      WATCHWORD_SIGNING_KEY: Buffer.alloc(32, 'bench').toString('base64url'),
    },
  });
  closeSync(log);
  const deadline = performance.now() + 60_000;
  while (!(await answers(port))) {
    if (performance.now() > deadline) throw new Error('the server did not become ready');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return serverProcess(child, port);
}

export function startBareServer(answer: { headers: object; body: string }): Promise<ServerProcess> {
  return startScript(bareServer, { BARE_ANSWER: JSON.stringify(answer) });
}

export function startOidcProvider(
  clients: readonly FlowClient[],
  interactions: 'one' | 'two',
): Promise<ServerProcess> {
  return startScript(oidcProviderServer, {
    FLOW_CLIENTS: JSON.stringify(clients),
    FLOW_INTERACTIONS: interactions,
    NODE_ENV: 'production',
  });
}

/** Starts a script that says its port on standard output. */
async function startScript(script: string, environment: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${script} ended at its start`)));
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer];
  return serverProcess(child, Number(line.toString()));
}

function serverProcess(child: ChildProcess, port: number): ServerProcess {
  return {
    port,
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    threadSeconds: () => threadSeconds(Number(child.pid)),
    sleep: () => child.kill('SIGSTOP'),
    wake: () => child.kill('SIGCONT'),
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
