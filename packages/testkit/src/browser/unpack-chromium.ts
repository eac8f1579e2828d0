import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface UnpackedChromium {
  readonly executablePath: string;
  /** Path of the font configuration. */
  readonly fonts: string;
  /** Directories: of its shared libraries, of files that it writes, and of its caches. */
  readonly libraries: string;
  readonly home: string;
  readonly cache: string;
}

/**
 * Unpacks the Chromium that npm installed into `node_modules/.cache`, once for each version. Concurrent processes each
 * fill a directory of their own, and the first one to rename its directory wins.
 */
export async function unpackChromium(
  cache = defaultCache,
  archives: readonly string[] = ['chromium.br', 'al2023.tar.br', fontArchive],
): Promise<UnpackedChromium> {
  const directory = join(cache, `chromium-${await installedVersion()}-${layout}`);
  if (!existsSync(directory)) {
    await mkdir(cache, { recursive: true });
    const own = await mkdtemp(`${directory}-unpacking-`);
    try {
      await inflateInto(own, archives);
      await rename(own, directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }
  return {
    executablePath: join(directory, 'chromium'),
    libraries: join(directory, 'al2023', 'lib'),
    fonts: join(directory, 'fonts', 'fonts.conf'),
    home: directory,
    cache: join(directory, 'cache'),
  };
}

/** Increment it when the unpacked files or their places change, so that no folder of an earlier version is used. */
const layout = 2;

/** The archive with the fonts, to which the font configuration of this package is added. */
export const fontArchive = 'fonts.tar.br';

const defaultCache = fileURLToPath(new URL('../../../../node_modules/.cache/watchword', import.meta.url));

async function installedVersion(): Promise<string> {
  const description = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'));
  return JSON.parse(await readFile(description, 'utf8')).version;
}

/** The package unpacks into the temporary directory of its process, so it runs in a separate process. */
async function inflateInto(directory: string, archives: readonly string[]): Promise<void> {
  const script = fileURLToPath(new URL('./inflate-chromium.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [script, ...archives], {
    env: { ...process.env, TMPDIR: directory },
  });
  await copyFile(new URL('./fonts.conf', import.meta.url), join(directory, 'fonts', 'fonts.conf'));
}
