import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The package.json of the checkout, while the published one is in its place. */
export const unpackedManifest = 'package.unpacked.json';

const itself = fileURLToPath(import.meta.url);
const packages = fileURLToPath(new URL('../packages', import.meta.url));

/** Undoes what `prepack.ts` did to the package in a folder, default: the working directory. */
function restorePackage(folder = '.'): void {
  const unpacked = join(folder, unpackedManifest);
  if (!existsSync(unpacked)) return;
  renameSync(unpacked, join(folder, 'package.json'));
  rmSync(join(folder, 'LICENSE'), { force: true });
}

// Milliseconds that no pack takes: what is older was interrupted, and what is younger can be of one that runs.
const longestPack = 600_000;

/**
 * Undoes what an earlier pack left that was interrupted, in the package in the working directory and in every other one of the checkout: the
 * published package.json has no script, so a pack of that package alone could not.
 */
export function restoreInterrupted(): void {
  restorePackage();
  for (const unpacked of globSync(`*/${unpackedManifest}`, { cwd: packages })) {
    const file = join(packages, unpacked);
    if (Date.now() - statSync(file).mtimeMs > longestPack) restorePackage(join(file, '..'));
  }
}

/** Undoes it when npm ends, if npm did not: after Ctrl-C, or when the package cannot be written. */
export function restoreAfterNpm(): void {
  const npm = ancestorNpm();
  if (npm === undefined) return;
  // In a group of its own: Ctrl-C ends the group of npm.
  spawn(process.execPath, [itself, String(npm)], { detached: true, stdio: 'ignore' }).unref();
}

/** The process of npm that runs this one, by a shell; `undefined` on a system that has no `ps`. */
function ancestorNpm(): number | undefined {
  let pid = process.ppid;
  // A shell, or two.
  for (let step = 0; step < 4 && pid > 1; step += 1) {
    let shown: string;
    try {
      shown = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    } catch {
      return undefined;
    }
    const [parent = '', ...command] = shown.split(/\s+/);
    // "npm pack", as npm names its process, or "node /usr/bin/npm pack".
    if (command.slice(0, 2).some(isNpm)) return pid;
    pid = Number(parent);
  }
  return undefined;
}

function isNpm(word: string): boolean {
  return /(?:^|\/)npm(?:-cli\.js)?$/.test(word);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// Milliseconds, and how often: an hour in all.
const [pause, looks] = [100, 36_000];

if (import.meta.main) {
  const npm = Number(process.argv[2]);
  for (let look = 0; npm > 0 && isRunning(npm) && look < looks; look += 1) await delay(pause);
  restorePackage();
}
