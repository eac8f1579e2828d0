import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { userAgent } from '../src/user-agent.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const BIN = join(MODULES, '.bin');
const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));

function run(command: string, args: readonly string[], cwd: string): string {
  // The compiler takes more memory in place of a fourth more time.
  const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '1GiB' };
  return execFileSync(command, args, { cwd, encoding: 'utf8', env, shell: process.platform === 'win32' });
}

test('the package needs no other package at run time', () => {
  assert.equal(manifest.dependencies, undefined);
  for (const peer of Object.keys(manifest.peerDependencies)) {
    assert.deepEqual(manifest.peerDependenciesMeta[peer], { optional: true });
  }
});

test('README.md packs the package and installs the packed file', () => {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  assert.ok(readme.includes(`\nnpm install ./watchword-resource-server-${manifest.version}.tgz `));
  assert.match(readme, /^npm pack -w packages\/resource-server --pack-destination /m);
});

test('the user agent of lookups has the name and version of the package', () => {
  assert.equal(userAgent, `watchword-resource-server/${manifest.version}`);
});

test('the bundle for a browser or a Worker imports nothing but its own parts', async () => {
  const entries = ['index', 'fetch', 'hono', 'testing'];
  const { output } = await build({
    input: entries.map((entry) => join(PACKAGE, `src/${entry}.ts`)),
    platform: 'neutral',
    resolve: { conditionNames: ['source'] },
    logLevel: 'silent',
    output: { format: 'esm' },
    write: false,
  });
  assert.deepEqual(
    entries.filter((entry) => !output.some(({ fileName }) => fileName === `${entry}.js`)),
    [],
  );
  for (const file of output) {
    if (file.type === 'chunk')
      assert.doesNotMatch(file.code, /^\s*import\b[^'"]*['"](?!\.\/)|require\(/m, file.fileName);
  }
});

test('the sources compile without the types of any runtime', () => {
  const entries = ['index', 'express', 'fetch', 'testing'].map((entry) => join(PACKAGE, `src/${entry}.ts`));
  const flags =
    '--noEmit --ignoreConfig --strict --exactOptionalPropertyTypes --target es2022 --lib es2024 --types';
  const resolution = '--module nodenext --allowImportingTsExtensions --customConditions source';
  const args = [...flags.split(' '), '', '--singleThreaded', ...resolution.split(' '), ...entries];
  assert.equal(run(join(BIN, 'tsc'), args, PACKAGE), '');
});
