import assert from 'node:assert/strict';
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '@watchword/testkit/free-port';
import { main } from '../../../cli/src/main.ts';
import { ask } from '../clients/ask.ts';
import { dropDatabases, withDatabases } from '../servers/engine.ts';
import { giveBackKeyPairs } from '../servers/key-pairs.ts';

/** The file that runs the command: of the sources, or of what the runner has bundled from them (test/runner/bundled-program.ts). */
export const bin =
  process.env.TEST_PROGRAM ?? fileURLToPath(new URL('../../../server/bin/watchword.js', import.meta.url));

// With room for young objects, a process that ends soon needs a tenth less processor time.
const program = [process.execPath, '--min-semi-space-size=16', bin];

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command and resolves when it has ended. It runs in this process, with its own input, output and environment,
 * because loading the program takes longer than most commands. With `cwd` it runs as {@link watchwordProcess} does. `serve`
 * must fail to start.
 */
export async function watchword(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  if (options.cwd !== undefined) return watchwordProcess(args, options);
  let stdout = '';
  let stderr = '';
  const started = Promise.withResolvers<never>();
  const write = (line: string) => {
    stdout += line;
    if (line.includes('"msg":"listening"')) started.reject(new Error(`the server has started: ${line}`));
  };
  const line = await withDatabases({ args, env: options.env ?? {} });
  const ended = main([process.execPath, bin, ...line.args], {
    env: cleanEnvironment(line.env),
    stdin: Object.assign(Readable.from([Buffer.from(options.stdin ?? '')]), {
      isTTY: options.isTyped === true,
    }),
    stdout: { write },
    stderr: { write: (text) => (stderr += text) },
    log: { stream: { write }, dropped: () => 0, flush: async () => {} },
  });
  const code = await Promise.race([ended, started.promise]);
  return { code, stdout, stderr };
}

/** Runs the command in a separate process, as an operator does; resolves when it has ended. */
export async function watchwordProcess(
  args: readonly string[],
  options: RunOptions = {},
): Promise<CommandResult> {
  const child = await start(args, options);
  child.stdin?.end(options.stdin ?? '');
  const [stdout, stderr] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, stdout, stderr };
}

/** Runs the command at a terminal (`script` of util-linux) with typed input. All output is in `stdout`. */
export async function atTerminal(args: readonly string[], typed: string): Promise<CommandResult> {
  const line = await withDatabases({ args, env: {} });
  const command = [...program, ...line.args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: cleanEnvironment(line.env) });
  child.stdin.end(typed);
  const [stdout, stderr] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, stdout, stderr };
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  readonly stdin?: string | Uint8Array;
  /** Whether the input is typed at a terminal, so that a command can ask. Of {@link watchword} alone. */
  readonly isTyped?: boolean;
  readonly cwd?: string;
  /** File descriptor for the output of the command; then `stdout` of the result is empty. */
  readonly stdout?: number;
}

/** A server process that is ready to answer; killed at the end of the test if it still runs. */
export interface RunningServer extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly stderr: () => string;
  readonly log: () => string;
  /** Sends the signal and resolves with the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** Returns a command line that runs the given one. */
export type Wrap = (command: string[]) => string[];

const unwrapped: Wrap = (command) => command;

// A line of a log of either format.
const listening = /"baseUrl":"(?<json>[^"]+)".*"msg":"listening"|listening baseUrl=(?<text>\S+)/;

/** Starts `watchword serve`. */
export async function startProcess(args: readonly string[], wrap: Wrap = unwrapped): Promise<RunningServer> {
  const server = await spawnServer(args, wrap);
  const baseUrl = new Promise<string>((resolve, reject) => {
    server.child.stdout?.on('data', () => {
      const { json, text } = listening.exec(server.log())?.groups ?? {};
      const url = json ?? text;
      if (url !== undefined) resolve(url);
    });
    server.child.on('exit', (code) =>
      reject(new Error(`the server ended with ${code}: ${server.stderr()}${server.log()}`)),
    );
  });
  return { ...server, baseUrl: await baseUrl };
}

/** Starts `watchword serve` when `wrap` sends its log elsewhere; waits for `/readyz` instead of a log line. */
export async function startUnheard(args: readonly string[], wrap: Wrap): Promise<RunningServer> {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const server = await spawnServer(['--port', String(port), ...args], wrap);
  const answers = () =>
    ask(`${baseUrl}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(async () => {
    const { exitCode, signalCode } = server.child;
    assert.equal(exitCode ?? signalCode, null, `the server ended: ${server.stderr()}`);
    return answers();
  }, 25);
  return { ...server, baseUrl };
}

async function spawnServer(args: readonly string[], wrap: Wrap): Promise<Omit<RunningServer, 'baseUrl'>> {
  const line = await withDatabases({ args, env: {} });
  const serve = ['serve', '--shutdown-linger', '0', ...line.args];
  const [command = '', ...rest] = wrap([...program, ...serve]);
  const child = spawn(command, rest, { env: cleanEnvironment(line.env) });
  let log = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const end = async (signal: NodeJS.Signals) => {
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    return child.exitCode ?? child.signalCode;
  };
  return {
    child,
    stderr: () => stderr,
    log: () => log,
    end,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGKILL');
    },
  };
}

/** Resolves once the output matches. The server writes log lines in blocks, shortly after the logged event. */
export function logged(output: () => string, pattern: RegExp): Promise<void> {
  return until(() => pattern.test(output()));
}

/**
 * Resolves once the condition is true. The pauses, in milliseconds, leave the processor to the server.
 *
 * @throws Error after 100 seconds: a test may last 120
 */
export async function until(isTrue: () => boolean | Promise<boolean>, pause = 5): Promise<void> {
  const started = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - started > 100_000) throw new Error(`this did not become true: ${isTrue}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Sends SIGTERM until the server has ended: the server counts signals within one second as one. */
export function repeatSignal({ child }: RunningServer): Promise<void> {
  return until(() => child.exitCode !== null || !child.kill('SIGTERM'));
}

/** A directory that is deleted after the test, with the databases that stand for files in it. */
export async function temporaryDirectory(): Promise<
  AsyncDisposable & { file(name: string): string; path: string }
> {
  const path = await mkdtemp(join(tmpdir(), 'watchword-test-'));
  return {
    path,
    file: (name) => join(path, name),
    async [Symbol.asyncDispose]() {
      giveBackKeyPairs(path);
      await dropDatabases(path);
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function start(args: readonly string[], options: RunOptions): Promise<ChildProcess> {
  const { cwd, stdout } = options;
  const stdio: StdioOptions = ['pipe', stdout ?? 'pipe', 'pipe'];
  const line = await withDatabases({ args, env: options.env ?? {} });
  const env = cleanEnvironment(line.env);
  const [node = '', ...rest] = program;
  return spawn(node, [...rest, ...line.args], { env, stdio, ...(cwd && { cwd }) });
}

/** The environment without settings and logins of Watchword, so that settings of a developer do not change a test. */
export function cleanEnvironment(env: Record<string, string> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('WATCHWORD_') && !name.startsWith('NODE_TEST'),
  );
  // No login of the developer either.
  return { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: join(tmpdir(), 'watchword-no-logins'), ...env };
}

function readAll(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream);
}
