import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const cache = fileURLToPath(new URL('../node_modules/.cache/watchword', import.meta.url));

/** What is compiled apart, for it runs elsewhere: the arguments of each, the longest first. */
const programs = [
  ['--noEmit', '--incremental', '--tsBuildInfoFile', `${cache}/types.tsbuildinfo`],
  ['-p', 'packages/console', '--incremental', '--tsBuildInfoFile', `${cache}/console.tsbuildinfo`],
  ['-p', 'examples/client-app/tsconfig.browser.json'],
].values();

// `npm run types`. One compiler keeps one processor busy (`checkers` in tsconfig.base.json): as many run side by side.
mkdirSync(cache, { recursive: true });
await Promise.all(Array.from({ length: availableParallelism() }, checkPrograms));

async function checkPrograms(): Promise<void> {
  for (const args of programs) if (!(await isRight(args))) process.exitCode = 1;
}

/** Prints what is wrong when all of it is known, so that nothing of another program stands between. */
async function isRight(args: readonly string[]): Promise<boolean> {
  const pretty = ['--pretty', String(process.stdout.isTTY === true)];
  const child = spawn(process.execPath, [tsc, ...args, ...pretty], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [code, found] = await Promise.all([
    new Promise((resolve) => child.on('close', resolve)),
    text(child.stdout),
  ]);
  process.stdout.write(found);
  return code === 0;
}
