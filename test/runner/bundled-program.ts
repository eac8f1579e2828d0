// Loading the sources of the command takes four times as long as the rest of its start: a thousand modules, each of which
// Node.js looks up, reads and links. So processes that tests start run the same sources in a few files.
import { chmod, cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/bundle.ts';
import { threads } from './bundled-threads.ts';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
const server = join(packages, 'server');

/** The packages that modules import, such as `packages/saml`: an error must be of the same class on both sides. */
const libraries = ['protocol', 'outbound'];

/** The command as a package like the published one; removed at the end. */
export interface BundledProgram extends AsyncDisposable {
  /** Path of the file that runs the command, as `packages/server/bin/watchword.js` does. */
  readonly bin: string;
}

/**
 * Bundles the command. It takes about a second.
 *
 * @param changed texts in place of those of source files, by their absolute paths
 */
export async function bundleProgram(changed?: ReadonlyMap<string, string>): Promise<BundledProgram> {
  const root = await mkdtemp(join(tmpdir(), 'watchword-program-'));
  // Commands of root read it as the owner of a database.
  await chmod(root, 0o755);
  const dispose = () => rm(root, { recursive: true, force: true });
  try {
    await bundleSources(join(root, 'dist'), changed);
    await addFiles(root);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { bin: join(root, 'bin', 'watchword.js'), [Symbol.asyncDispose]: dispose };
}

async function bundleSources(
  directory: string,
  changed: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const source = (...path: string[]) => join(packages, ...path);
  const { imports } = createRequire(import.meta.url)(source('store-sql', 'package.json'));
  await bundle({
    input: {
      program: source('cli', 'src', 'main.ts'),
      ...Object.fromEntries(libraries.map((name) => [name, source(name, 'src', 'index.ts')])),
      ...Object.fromEntries(threads.map((name) => [name, source('store-sql', imports[`#${name}`].source)])),
    },
    directory,
    home: server,
    isExternal: () => false,
    changed,
  });
}

/** Everything beside the code. */
async function addFiles(root: string): Promise<void> {
  await cp(join(server, 'bin'), join(root, 'bin'), { recursive: true });
  await cp(join(packages, 'store-sql', 'thread.js'), join(root, 'thread.js'));
  await cp(join(server, 'bcrypt-thread.js'), join(root, 'bcrypt-thread.js'));
  for (const name of ['assets', 'locales', 'templates']) await symlink(join(server, name), join(root, name));
  await symlink(join(packages, '..', 'node_modules'), join(root, 'node_modules'));
  const manifest = createRequire(import.meta.url)(join(server, 'package.json'));
  const imports = Object.fromEntries(threads.map((name) => [`#${name}`, `./dist/${name}.js`]));
  const own = {
    ...manifest,
    imports: {
      '#program': './dist/start.js',
      '#thread': './thread.js',
      '#bcrypt-thread': './bcrypt-thread.js',
      ...imports,
    },
  };
  await writeFile(join(root, 'package.json'), JSON.stringify(own));
  await cp(fileURLToPath(new URL('./bundled-start.js', import.meta.url)), join(root, 'dist', 'start.js'));
}
