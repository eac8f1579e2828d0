// `node deploy/image/assemble.ts FOLDER`, after `npm ci`: makes the root file system of the image in an empty folder. The Dockerfile
// runs it, and so does `npm run check:deploy`, which starts what it makes.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layout } from './layout.ts';
import { copyNodeRuntime } from './node-runtime.ts';
import { productionPackages } from './production-packages.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** The server, and the add-ons of this project, which nobody can install in an image without npm. */
const packages = ['@watchword/server', '@watchword/saml'];

/** Ends of the names of files that only compilers and debuggers read. */
const unused = ['.d.ts', '.d.cts', '.d.mts', '.map'];
const unusedNames = unused.map((end) => `--exclude=*${end}`);

/** @param root an empty or missing folder. As another user than root, the data folder gets no owner. */
export function assemble(root: string): void {
  mkdirSync(root, { recursive: true });
  if (readdirSync(root).length > 0) throw new Error(`${root}: expected an empty folder`);
  copyNodeRuntime(root);
  installPackages(join(root, layout.packages));
  writeFiles(root);
}

/** Installs packed packages of this project, and from `node_modules` those of others, which `npm ci` has verified. */
function installPackages(folder: string): void {
  const { own, others } = productionPackages(checkout, packages);
  const tarballs = mkdtempSync(join(tmpdir(), 'watchword-tarballs-'));
  try {
    const workspaces = own.flatMap((path) => ['-w', path]);
    const pack = ['pack', '--json', '--pack-destination', tarballs, ...workspaces];
    const options = { cwd: checkout, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const;
    const packed: readonly { readonly name: string; readonly filename: string }[] = Object.values(
      JSON.parse(execFileSync('npm', pack, options)),
    );
    for (const { name, filename } of packed) {
      const place = join(folder, 'node_modules', name);
      mkdirSync(place, { recursive: true });
      const flags = ['--no-same-owner', '--strip-components=1', ...unusedNames, '-C', place];
      execFileSync('tar', ['-xzf', join(tarballs, filename), ...flags]);
    }
  } finally {
    rmSync(tarballs, { recursive: true });
  }
  for (const place of others) copyPackage(place, folder);
}

/** @param place `node_modules/x`, or `packages/saml/node_modules/x` when only one package of the workspace has this version */
function copyPackage(place: string, folder: string): void {
  const to = place.replace(/^packages\/([^/]+)\//, 'node_modules/@watchword/$1/');
  const filter = (file: string) =>
    !unused.some((end) => file.endsWith(end)) &&
    !file.slice(join(checkout, place).length).includes('/node_modules');
  cpSync(join(checkout, place), join(folder, to), { recursive: true, dereference: true, filter });
}

function writeFiles(root: string): void {
  const { data, user, command, node, packages: app } = layout;
  const write = (path: string, content: string, mode = 0o644) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
    chmodSync(join(root, path), mode);
  };
  write('etc/passwd', `root:x:0:0:root:/:/nonexistent\nwatchword:x:${user}:${user}::${data}:/nonexistent\n`);
  write('etc/group', `root:x:0:\nwatchword:x:${user}:\n`);
  // /etc/hosts first, as everywhere: without this file, glibc asks only DNS.
  write('etc/nsswitch.conf', 'hosts: files dns\n');
  // The runtime mounts its own file over this one.
  write('etc/hosts', '127.0.0.1 localhost\n::1 localhost\n');
  // By this the kernel starts the command without a shell and without `env`.
  write(command, `#!${node}\nimport '${app}/node_modules/@watchword/server/bin/watchword.js';\n`, 0o755);
  for (const [path, mode] of [
    ['/', 0o755],
    [data, 0o700],
    ['/tmp', 0o1777],
    ['/run', 0o755],
    ['/proc', 0o555],
    ['/dev', 0o755],
  ] as const) {
    mkdirSync(join(root, path), { recursive: true });
    chmodSync(join(root, path), mode);
  }
  if (process.getuid?.() === 0) chownSync(join(root, data), user, user);
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('expected a folder: node deploy/image/assemble.ts FOLDER');
  assemble(resolve(folder));
}
