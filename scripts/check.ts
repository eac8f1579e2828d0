import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const cache = `${modules}/.cache/watchword`;
const isTerminal = process.stdout.isTTY === true;

const linter = [`${modules}/@biomejs/biome/bin/biome`, 'check', '--error-on-warnings', '.'];
/** The programs of the project are compiled separately, because they run in different environments. */
const compilers = [
  ['--noEmit', '--incremental', '--tsBuildInfoFile', `${cache}/types.tsbuildinfo`],
  ['-p', 'packages/console', '--incremental', '--tsBuildInfoFile', `${cache}/console.tsbuildinfo`],
  ['-p', 'examples/client-app/tsconfig.browser.json'],
].map((args) => [`${modules}/typescript/bin/tsc`, ...args, '--pretty', String(isTerminal)]);

// `npm run check`, or `npm run types` with `--types`. A compiler uses one processor (`checkers` in tsconfig.base.json), so
// several commands run at the same time, the longest first.
mkdirSync(cache, { recursive: true });
const commands = (process.argv.includes('--types') ? compilers : [linter, ...compilers]).values();
await Promise.all(Array.from({ length: availableParallelism() }, runCommands));

async function runCommands(): Promise<void> {
  for (const command of commands) if (!(await succeeds(command))) process.exitCode = 1;
}

/** Prints the output of a command when the command has ended, so that outputs do not mix. */
async function succeeds(command: readonly string[]): Promise<boolean> {
  const env = isTerminal ? { ...process.env, FORCE_COLOR: '1' } : process.env;
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [code, ...outputs] = await Promise.all([
    new Promise((resolve) => child.on('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  process.stdout.write(outputs.join(''));
  return code === 0;
}
