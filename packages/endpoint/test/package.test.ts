import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild-wasm';
import { type CheckoutCopy, copyCheckout } from '../../../test/support/checkout-copy.ts';
import { pack } from '../../../test/support/pack.ts';
import { temporaryDirectory } from '../../server/test/support/process.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const BIN = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));
/** What runs in an application, minified and gzipped, at most 3.8 kB. `toCurl` is for people, and shaken out where it is not used. */
const APPLICATION = 'endpoint, createEndpoint, expandTemplate, toFetch, EndpointError';
const LARGEST_APPLICATION_BUNDLE = 3_820;
const LARGEST_WHOLE_BUNDLE = 4_260;

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
}

for (const [what, names, largest] of [
  ['what an application uses of it', `{ ${APPLICATION} }`, LARGEST_APPLICATION_BUNDLE],
  ['the whole package', '*', LARGEST_WHOLE_BUNDLE],
] as const) {
  test(`${what} stays within its size, minified and gzipped`, async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export ${names} from './src/index.ts'`, resolveDir: PACKAGE },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    assert.ok(size <= largest, `Expected at most ${largest} bytes, got ${size}`);
  });
}

test('the sources need no runtime but JavaScript itself, and no package', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
  // Only then does this compile: its tsconfig names no types of Node.js and no DOM.
  run(join(BIN, 'tsc'), ['-p', 'tsconfig.build.json', '--noEmit'], PACKAGE);
});

describe('the packed tarball', () => {
  let copy: CheckoutCopy;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let user = '';

  before(async () => {
    copy = await copyCheckout();
    const { endpoint = '' } = await pack(copy, ['endpoint']);
    // Elsewhere, so that what is installed in the checkout cannot help.
    directory = await temporaryDirectory();
    user = directory.path;
    writeFileSync(directory.file('package.json'), '{ "private": true }');
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--no-package-lock', endpoint], user);
  });
  after(() => Promise.all([copy[Symbol.asyncDispose](), directory[Symbol.asyncDispose]()]));

  const USE = "console.log(endpoint('GET /users/{id}', { id: 1 }).url)";

  test('can be imported', () => {
    writeFileSync(join(user, 'use.mjs'), `import { endpoint } from '@watchword/endpoint'; ${USE}`);
    assert.equal(run(process.execPath, ['use.mjs'], user).trim(), 'https://api.github.com/users/1');
  });

  test('can be required', () => {
    writeFileSync(join(user, 'use.cjs'), `const { endpoint } = require('@watchword/endpoint'); ${USE}`);
    assert.equal(run(process.execPath, ['use.cjs'], user).trim(), 'https://api.github.com/users/1');
  });

  for (const [module, moduleResolution, lib] of [
    ['esnext', 'bundler', 'es2022,dom'],
    ['esnext', 'bundler', 'es2022'],
    ['node16', 'node16', 'es2022,dom'],
  ] as const) {
    test(`has types with moduleResolution ${moduleResolution} and lib ${lib}`, () => {
      const isWeb = lib.includes('dom');
      writeFileSync(
        join(user, 'use.mts'),
        `import { createEndpoint, endpoint, type RequestOptions, toFetch } from '@watchword/endpoint';
export const options: RequestOptions = endpoint('GET /users/{id}', { id: 1 });
export const other = createEndpoint({ baseUrl: 'https://a.example' }).defaults({ id: 1 })('/users/{id}');
${isWeb ? 'export const request = new Request(...toFetch(options));' : 'export const [, { body }] = toFetch(options);'}
// @ts-expect-error id is missing
endpoint('GET /users/{id}', {});
`,
      );
      const flags = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--types', '', '--ignoreConfig'];
      const args = [
        ...flags,
        '--module',
        module,
        '--moduleResolution',
        moduleResolution,
        '--lib',
        lib,
        'use.mts',
      ];
      assert.equal(run(join(BIN, 'tsc'), args, user), '');
    });
  }
});
