import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { roomy } from './support/language-service.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const BIN = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));
/** Bytes, minified and gzipped. What is not used is shaken out. */
const LARGEST_BUILDER = 6_000;
const LARGEST_WHOLE_BUNDLE = 8_150;

function run(command: string, args: readonly string[], cwd: string): string {
  const shell = process.platform === 'win32';
  return execFileSync(command, args, { cwd, encoding: 'utf8', env: roomy, shell });
}

/** A program as one file. */
async function bundled(code: string, isMinified: boolean): Promise<string> {
  const entry = join(PACKAGE, 'application.ts');
  const { output } = await build({
    input: entry,
    plugins: [
      {
        name: 'application',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
    output: { format: 'esm', minify: isMinified },
    write: false,
  });
  return output[0].code;
}

const sizeOf = (code: string): number => gzipSync(code, { level: 9 }).length;

for (const [what, names, largest] of [
  ['endpoint alone', '{ endpoint }', LARGEST_BUILDER],
  ['the whole package', '*', LARGEST_WHOLE_BUNDLE],
] as const) {
  test(`${what} stays within its size, minified and gzipped`, async () => {
    const size = sizeOf(await bundled(`export ${names} from './src/index.ts'`, true));
    assert.ok(size <= largest, `Expected at most ${largest} bytes, got ${size}`);
  });
}

test('what needs no builder brings none along, also out of the one file that is published', async () => {
  const published = await bundled(`export * from './src/index.ts'`, false);
  for (const name of ['expandTemplate', 'match', 'toFetch', 'toCurl', 'EndpointError']) {
    const used = await bundled(
      `${published.replace(/export \{[^}]*\};?\s*$/, '')}\nexport { ${name} };`,
      true,
    );
    assert.ok(!/api\.github\.com|baseUrl|DEFAULTS/.test(used), `${name} comes with ${sizeOf(used)} bytes`);
  }
});

test('the sources need no runtime but JavaScript itself, and no package', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
  // Only then does this compile: its tsconfig names no types of Node.js and no DOM.
  run(join(BIN, 'tsc'), ['-p', 'tsconfig.build.json', '--noEmit', '--singleThreaded'], PACKAGE);
});
