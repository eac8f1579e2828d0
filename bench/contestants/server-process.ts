import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processorSeconds, type ThreadKind, threadSeconds } from '../measure/processor-time.ts';
import type { OAuth2ServerClient } from './oauth2-server.ts';
import type { OidcProviderOptions } from './oidc-provider-server.ts';
import type { FixedAnswer } from './script.ts';

export const watchword = fileURLToPath(new URL('../../packages/server/bin/watchword.js', import.meta.url));

/** A server in a process of its own, as a benchmark sees it. */
export interface ServerProcess {
  readonly processId: number;
  readonly port: number;
  /** Resident memory in MB. */
  memory(): number;
  /** Processor time used so far, in seconds. */
  cpuSeconds(): number;
  /** The same for its threads of each kind. */
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
    if (performance.now() > deadline) {
      child.kill();
      throw new Error('the server did not become ready');
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return serverProcess(child, port);
}

/** `node:http`, or Fastify, with a fixed answer. */
export function startFixedServer(
  server: 'bare-server' | 'fastify-server',
  answer: FixedAnswer,
): Promise<ServerProcess> {
  return startScript(server, answer);
}

export function startOidcProvider(options: OidcProviderOptions): Promise<ServerProcess> {
  return startScript('oidc-provider-server', options);
}

/** A token endpoint by `@node-oauth/oauth2-server`. */
export function startOAuth2Server(clients: readonly OAuth2ServerClient[]): Promise<ServerProcess> {
  return startScript('oauth2-server', clients);
}

/** Starts a script of this folder, which says its port on standard output. */
async function startScript(name: string, given: unknown): Promise<ServerProcess> {
  const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_GIVEN: JSON.stringify(given), NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended at its start`)));
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer];
  return serverProcess(child, Number(line.toString()));
}

function serverProcess(child: ChildProcess, port: number): ServerProcess {
  return {
    processId: Number(child.pid),
    port,
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    cpuSeconds: () => processorSeconds(Number(child.pid)),
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
