import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { variants } from '@watchword/testkit';
import { installed } from './link-dependencies.ts';

/** `module`, `moduleResolution` and `lib` of the programs of users. */
export const resolutions = variants<readonly [string, string, string]>(2, [
  ['esnext', 'bundler', 'es2022'],
  ['node16', 'node16', 'es2022,dom'],
  ['esnext', 'bundler', 'es2022,dom'],
]);

/** The directory of a user who has installed packed libraries by npm, and no other packages. */
export interface LibraryUser extends AsyncDisposable {
  readonly path: string;
  file(name: string): string;
  /** Runs a program in the directory with this Node.js. Returns its output. */
  run(...args: readonly string[]): string;
  /** Returns the output of the compiler of this project. */
  compile(...args: readonly string[]): string;
}

/** Outside of the checkout, so that Node.js does not find the packages of the checkout. */
export async function installLibraries(tarballs: readonly string[]): Promise<LibraryUser> {
  const directory = await temporaryDirectory();
  const { path } = directory;
  await writeFile(directory.file('package.json'), '{ "private": true }');
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, { cwd: path, encoding: 'utf8', shell: process.platform === 'win32' });
  const flags = ['--offline', '--no-audit', '--no-fund', '--no-package-lock'];
  run('npm', ['install', ...flags, ...tarballs]);
  return {
    ...directory,
    run: (...args) => run(process.execPath, args),
    compile: (...args) =>
      run(join(installed, '.bin', 'tsc'), [
        '--noEmit',
        '--strict',
        '--ignoreConfig',
        '--checkers',
        '1',
        ...args,
      ]),
  };
}
