import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { layout } from './layout.ts';

/**
 * Puts this Node.js and the shared libraries that it needs below `root`, with their licences. There is no shell and nothing else of a
 * distribution.
 */
export function copyNodeRuntime(root: string): void {
  copy(process.execPath, join(root, layout.node), 0o755);
  const license = join(dirname(process.execPath), '..', 'LICENSE');
  if (existsSync(license)) copy(license, join(root, 'usr/share/doc/nodejs/copyright'));
  for (const library of sharedLibraries(process.execPath)) {
    copy(realpathSync(library), join(root, library), 0o755);
    const owner = debianPackageOf(library);
    const copyright = `/usr/share/doc/${owner}/copyright`;
    if (owner !== undefined && existsSync(copyright)) copy(copyright, join(root, copyright));
  }
}

/** The paths by which the dynamic linker finds the libraries of a program, and its own. */
function sharedLibraries(program: string): string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' });
  const missing = /^\s*(\S+) => not found/m.exec(listed);
  if (missing !== null) throw new Error(`${program} needs ${missing[1]}, which this system does not have`);
  return [...listed.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map(([, path = '']) => path);
}

/** The package that a library came with, for its licence; `undefined` on other systems than Debian. */
function debianPackageOf(library: string): string | undefined {
  for (const path of [library, realpathSync(library)]) {
    try {
      const found = execFileSync('dpkg-query', ['--search', path], { encoding: 'utf8', stdio: 'pipe' });
      return /^([^:]+):/.exec(found)?.[1];
    } catch {
      // Not a path of a package, or not Debian.
    }
  }
  return undefined;
}

function copy(from: string, to: string, mode = 0o644): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}
