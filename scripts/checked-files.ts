import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

/** What a compiler reads even where git ignores it. */
const code = /\.(?:[cm]?[jt]sx?|json)$/;

/**
 * A digest of the contents of everything that lint and types depend on: all files of the checkout, the files of packages that
 * the compilers have read, the versions of all packages. Times of files say nothing.
 *
 * @param root of the checkout
 * @param buildInfos what the compilers wrote in their last run
 * @returns `undefined` where that is not known: outside a checkout, or before a first run
 */
export async function digestOfChecked(
  root: string,
  buildInfos: readonly string[],
): Promise<string | undefined> {
  try {
    const [ours, ignored, ...read] = await Promise.all([
      list(root, '--cached', '--others', '--exclude-standard'),
      list(root, '--others', '--ignored', '--exclude-standard', '--', ':!:**/node_modules/**'),
      ...buildInfos.map(filesRead),
    ]);
    const installed = join('node_modules', '.package-lock.json');
    const paths = [...ours, ...ignored.filter((path) => code.test(path)), installed].concat(
      ...read.map((files) => files.map((file) => relative(root, file))),
    );
    const hash = createHash('sha256').update(
      JSON.stringify([process.version, process.platform, process.arch]),
    );
    for (const path of [...new Set(paths)].sort()) {
      hash.update(JSON.stringify([path, digestOfFile(join(root, path))]));
    }
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

async function list(root: string, ...options: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', ...options], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  return stdout.split('\0').filter((path) => path !== '');
}

interface BuildInfo {
  readonly fileNames: readonly string[];
  readonly packageJsons?: readonly string[];
  /** Where one would change what an import means. */
  readonly missingPackageJsons?: readonly string[];
}

/** The files that a compiler read, by what it wrote for its next run. */
async function filesRead(buildInfo: string): Promise<string[]> {
  const {
    fileNames,
    packageJsons = [],
    missingPackageJsons = [],
  }: BuildInfo = JSON.parse(await readFile(buildInfo, 'utf8'));
  return [...fileNames, ...packageJsons, ...missingPackageJsons].map((name) =>
    join(dirname(buildInfo), name),
  );
}

/** At once: thousands of small files, of which each would wait for its turn. */
function digestOfFile(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('base64');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // What git knows is no longer there, what a compiler looked for is still missing, or it is a folder: a link to one.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return code;
    throw error;
  }
}
