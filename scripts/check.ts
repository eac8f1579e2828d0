import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { digestOfChecked } from './checked-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const cache = `${modules}/.cache/watchword`;
const isTerminal = process.stdout.isTTY === true;

const linter = [`${modules}/@biomejs/biome/bin/biome`, 'check', '--error-on-warnings', '.'];
/** The programs of the project are compiled separately, because they run in different environments. */
const programs = [
  ['types', '--noEmit'],
  ['console', '-p', 'packages/console'],
  ['browser', '-p', 'examples/client-app/tsconfig.browser.json'],
] as const;
const buildInfos = programs.map(([name]) => `${cache}/${name}.tsbuildinfo`);
const compilers = programs.map(([, ...args], index) => [
  `${modules}/typescript/bin/tsc`,
  ...[...args, '--incremental', '--tsBuildInfoFile', buildInfos[index] ?? ''],
  ...['--pretty', String(isTerminal)],
]);

/** Of the compilers, which are in Go: hardly anything that they make becomes garbage, and looking for it takes a fifth of their time. */
const memory = { GOGC: 'off', GOMEMLIMIT: '3GiB' };

/** Holds the digest of what was found in order. `npm ci` removes it, so that a fresh checkout and CI check everything. */
const inOrder = `${cache}/in-order`;

// `npm run check`, or `npm run types` with `--types`. A compiler uses one processor (`checkers` in tsconfig.base.json), so
// several commands run at the same time, the longest first.
mkdirSync(cache, { recursive: true });
const isWhole = !process.argv.includes('--types');
const commands = (isWhole ? [linter, ...compilers] : compilers).values();
const before = await digestNow();
if (before !== undefined && before === lastInOrder()) {
  process.stdout.write('No file has changed since all were last found in order.\n');
} else {
  // A compiler writes anew what it has read, so only the files before and after it tell whether one has changed meanwhile.
  const ours = await digestOfChecked(root, []);
  await Promise.all(Array.from({ length: availableParallelism() }, runCommands));
  const isSteady = ours === (await digestOfChecked(root, []));
  const after = await digestNow();
  if (isWhole && isSteady && after !== undefined && process.exitCode === undefined)
    writeFileSync(inOrder, after);
}

function digestNow(): Promise<string | undefined> {
  return digestOfChecked(root, buildInfos);
}

function lastInOrder(): string | undefined {
  try {
    return readFileSync(inOrder, 'utf8');
  } catch {
    return undefined;
  }
}

async function runCommands(): Promise<void> {
  for (const command of commands) if (!(await succeeds(command))) process.exitCode = 1;
}

/** Prints the output of a command when the command has ended, so that outputs do not mix. */
async function succeeds(command: readonly string[]): Promise<boolean> {
  const env = { ...process.env, ...(isTerminal && { FORCE_COLOR: '1' }), ...memory };
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [code, ...outputs] = await Promise.all([
    new Promise((resolve) => child.on('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  process.stdout.write(outputs.join(''));
  return code === 0;
}
