import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { main } from '../../src/cli/main.ts';

export const bin = fileURLToPath(new URL('../../bin/watchword.js', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command; resolves when it has ended. It runs within this process, with input, output and environment of its
 * own, for loading it anew costs more than what it does. `serve`, and what depends on the directory it is started in,
 * runs as {@link watchwordProcess} does.
 */
export async function watchword(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  if (args.includes('serve') || options.cwd !== undefined) return watchwordProcess(args, options);
  let stdout = '';
  let stderr = '';
  const code = await main([process.execPath, bin, ...args], {
    env: cleanEnvironment(options.env),
    stdin: Readable.from([Buffer.from(options.stdin ?? '')]),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  return { code, stdout, stderr };
}

/** Runs the command in a process of its own, as a user does; resolves when it has ended. */
export async function watchwordProcess(
  args: readonly string[],
  options: RunOptions = {},
): Promise<CommandResult> {
  const child = start(args, options);
  child.stdin?.end(options.stdin ?? '');
  const [stdout, stderr] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, stdout, stderr };
}

/** Runs the command at a terminal (of util-linux), at which that is typed; what it shows is all in `stdout`. */
export async function atTerminal(args: readonly string[], typed: string): Promise<CommandResult> {
  const command = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: cleanEnvironment() });
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
  readonly stdin?: string;
  readonly cwd?: string;
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

/** Starts `watchword serve`; `wrap` turns the command line into another that runs it. */
export async function startProcess(
  args: readonly string[],
  wrap: (command: string[]) => string[] = (command) => command,
): Promise<RunningServer> {
  const [command = '', ...rest] = wrap([process.execPath, bin, 'serve', ...args]);
  const child = spawn(command, rest, { env: cleanEnvironment() });
  let log = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const url = /"baseUrl":"([^"]+)".*"msg":"listening"/.exec(log)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${stderr}${log}`)));
  });
  const baseUrl = await listening;
  const end = async (signal: NodeJS.Signals) => {
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    return child.exitCode ?? child.signalCode;
  };
  return {
    child,
    baseUrl,
    stderr: () => stderr,
    log: () => log,
    end,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGKILL');
    },
  };
}

/** Resolves once the output matches; lines are written in blocks, a moment after what they tell of. */
export async function logged(output: () => string, pattern: RegExp): Promise<void> {
  // Asking without a pause would take a processor from the process that is to write.
  while (!pattern.test(output())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A directory that is gone after the test. */
export async function temporaryDirectory(): Promise<
  AsyncDisposable & { file(name: string): string; path: string }
> {
  const path = await mkdtemp(join(tmpdir(), 'watchword-test-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

function start(args: readonly string[], { env = {}, cwd }: RunOptions): ChildProcess {
  return spawn(process.execPath, [bin, ...args], { env: cleanEnvironment(env), ...(cwd && { cwd }) });
}

/** Nothing that the developer has set for Watchword may change what a test sees. */
export function cleanEnvironment(env: Record<string, string> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('WATCHWORD_') && !name.startsWith('NODE_TEST'),
  );
  return { ...Object.fromEntries(inherited), ...env };
}

function readAll(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream);
}
