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
import { productionPackages } from '../../scripts/production-packages.ts';
import { packPackages } from '../../scripts/public-packages.ts';
import { layout } from './layout.ts';
import { copyNodeRuntime } from './node-runtime.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** The server, and the add-ons of this project, which nobody can install in an image without npm. */
const packages = ['@watchword/server', '@watchword/saml', '@watchword/upstream'];

/** Ends of the names of files that only compilers and debuggers read. */
const unused = ['.d.ts', '.d.cts', '.d.mts', '.map'];
const unusedNames = unused.map((end) => `--exclude=*${end}`);

/** @param root an empty or missing folder. As another user than root, the data folder gets no owner. */
export async function assemble(root: string): Promise<void> {
  mkdirSync(root, { recursive: true });
  if (readdirSync(root).length > 0) throw new Error(`${root}: expected an empty folder`);
  copyNodeRuntime(root);
  await installPackages(join(root, layout.packages));
  writeFiles(root);
}

/** Installs packed packages of this project, and from `node_modules` those of others, which `npm ci` has verified. */
async function installPackages(folder: string): Promise<void> {
  const { own, others } = productionPackages(checkout, packages);
  const tarballs = mkdtempSync(join(tmpdir(), 'watchword-tarballs-'));
  try {
    const names = own.map((path) => path.replace('packages/', ''));
    const packed = await packPackages(checkout, names, { destination: tarballs });
    for (const [name, tarball] of Object.entries(packed)) {
      const place = join(folder, 'node_modules', '@watchword', name);
      mkdirSync(place, { recursive: true });
      const flags = ['--no-same-owner', '--strip-components=1', ...unusedNames, '-C', place];
      execFileSync('tar', ['-xzf', tarball, ...flags]);
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
  await assemble(resolve(folder));
}
