import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild-wasm';
import { type CheckoutCopy, copyCheckout } from '../../../test/support/checkout-copy.ts';
import { pack } from '../../../test/support/pack.ts';
import { temporaryDirectory } from '../../server/test/support/process.ts';
import { userAgent } from '../src/user-agent.ts';

const PACKAGE = fileURLToPath(new URL('../../resource-server', import.meta.url));
const ENDPOINT = fileURLToPath(new URL('../../endpoint', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const BIN = join(MODULES, '.bin');
const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
}

test('the package needs the request-options builder, and nothing else at run time', () => {
  assert.deepEqual(Object.keys(manifest.dependencies), ['@watchword/endpoint']);
  for (const peer of Object.keys(manifest.peerDependencies)) {
    assert.deepEqual(manifest.peerDependenciesMeta[peer], { optional: true });
  }
});

test('README.md packs both packages and installs the files that come of it', () => {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  const files = [ENDPOINT, PACKAGE].map((directory) => {
    const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    return `./${name.slice(1).replace('/', '-')}-${version}.tgz`;
  });
  assert.ok(readme.includes(`\nnpm install ${files.join(' ')} `));
  assert.match(readme, /^npm pack -w packages\/endpoint -w packages\/resource-server --pack-destination /m);
});

test('look-ups go by the name and version of the package', () => {
  assert.equal(userAgent, `watchword-resource-server/${manifest.version}`);
});

test('the bundle for a browser or a Worker holds no import', async () => {
  for (const entry of ['index', 'fetch', 'hono', 'testing']) {
    const { outputFiles } = await build({
      entryPoints: [join(PACKAGE, `src/${entry}.ts`)],
      bundle: true,
      platform: 'neutral',
      format: 'esm',
      conditions: ['source'],
      write: false,
    });
    assert.doesNotMatch(outputFiles[0]?.text ?? 'import', /^\s*import\b|require\(/m, entry);
  }
});

test('the sources compile without the types of any runtime', () => {
  const entries = ['index', 'express', 'fetch', 'testing'].map((entry) => join(PACKAGE, `src/${entry}.ts`));
  const flags =
    '--noEmit --ignoreConfig --strict --exactOptionalPropertyTypes --target es2022 --lib es2024 --types';
  const resolution = '--module nodenext --allowImportingTsExtensions --customConditions source';
  const args = [...flags.split(' '), '', ...resolution.split(' '), ...entries];
  assert.equal(run(join(BIN, 'tsc'), args, PACKAGE), '');
});

describe('the packed tarball', () => {
  let copy: CheckoutCopy;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let user = '';

  before(async () => {
    copy = await copyCheckout();
    const tarballs = Object.values(await pack(copy, ['endpoint', 'resource-server']));
    // Elsewhere, so that what is installed in the checkout cannot help.
    directory = await temporaryDirectory();
    user = directory.path;
    writeFileSync(directory.file('package.json'), '{ "private": true }');
    const flags = ['--offline', '--no-audit', '--no-fund', '--no-package-lock'];
    run('npm', ['install', ...flags, ...tarballs], user);
  });
  after(() => Promise.all([copy[Symbol.asyncDispose](), directory[Symbol.asyncDispose]()]));

  const USE = `const verifier = fakeVerifier();
const guard = createGuard(verifier, { scope: 'read' });
guard('Bearer ' + verifier.issue({ scopes: ['read'] })).then(({ principal }) => console.log(principal.name));`;

  test('can be imported', () => {
    writeFileSync(
      join(user, 'use.mjs'),
      `import { createGuard } from '@watchword/resource-server';
import { fakeVerifier } from '@watchword/resource-server/testing';
${USE}`,
    );
    assert.equal(run(process.execPath, ['use.mjs'], user).trim(), 'test-user');
  });

  test('can be required', () => {
    writeFileSync(
      join(user, 'use.cjs'),
      `const { createGuard } = require('@watchword/resource-server');
const { fakeVerifier } = require('@watchword/resource-server/testing');
${USE}`,
    );
    assert.equal(run(process.execPath, ['use.cjs'], user).trim(), 'test-user');
  });

  test('gives every middleware without its framework', () => {
    writeFileSync(
      join(user, 'all.mjs'),
      `for (const name of ['express', 'fastify', 'fetch', 'hono', 'node']) {
  const { protect } = await import('@watchword/resource-server/' + name);
  console.log(typeof protect);
}`,
    );
    assert.equal(run(process.execPath, ['all.mjs'], user), 'function\n'.repeat(5));
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
        `import { createTokenVerifier, requireScope, type TokenInfo } from '@watchword/resource-server';
import { protect as express } from '@watchword/resource-server/express';
import { type FetchRequest, protect } from '@watchword/resource-server/fetch';
import { fakeVerifier } from '@watchword/resource-server/testing';
const verifier = createTokenVerifier({ tokenInfoUrl: 'https://id.example.com/', key: 'k', secret: 's'${isWeb ? ', fetch' : ''} });
export const info: Promise<TokenInfo> = verifier.verify('token').then((info) => requireScope(info, 'read'));
export const middleware = express(fakeVerifier(), { scope: 'read' });
${
  isWeb
    ? `export const handler: (request: Request) => Promise<Response> =
  protect(verifier, {}, (_request: Request, { principal }) => new Response(principal.name));`
    : `export const handler = protect(verifier, {}, (_request: FetchRequest, { principal }) => principal.name);`
}
// @ts-expect-error there is no such rule
express(verifier, { scopes: 'read' });
`,
      );
      const flags = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--types', '', '--ignoreConfig'];
      const resolution = ['--module', module, '--moduleResolution', moduleResolution, '--lib', lib];
      assert.equal(run(join(BIN, 'tsc'), [...flags, ...resolution, 'use.mts'], user), '');
    });
  }

  test('tells the types of Fastify, Express and Hono of the token info', () => {
    for (const name of ['fastify', 'express', 'hono', '@types']) {
      symlinkSync(join(MODULES, name), join(user, 'node_modules', name), 'junction');
    }
    writeFileSync(
      join(user, 'frameworks.mts'),
      `import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { createServer } from 'node:http';
import { createTokenVerifier, type TokenInfo } from '@watchword/resource-server';
import { protect as forExpress } from '@watchword/resource-server/express';
import { protect as forFastify } from '@watchword/resource-server/fastify';
import { protect as forHono } from '@watchword/resource-server/hono';
import { protect as forNode } from '@watchword/resource-server/node';
const verifier = createTokenVerifier();
type Found = TokenInfo | undefined;
fastify().addHook('onRequest', forFastify(verifier)).get('/', async ({ tokenInfo }) => tokenInfo satisfies Found);
express().use(forExpress(verifier)).get('/', ({ tokenInfo }, response) => void response.json(tokenInfo satisfies Found));
new Hono().use(forHono(verifier)).get('/', (context) => context.json(context.get('tokenInfo') satisfies Found));
createServer(forNode(verifier, {}, ({ tokenInfo }, response) => void response.end((tokenInfo satisfies TokenInfo).audience)));
`,
    );
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--types', 'node', '--ignoreConfig'];
    const resolution = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024'];
    assert.equal(run(join(BIN, 'tsc'), [...flags, ...resolution, 'frameworks.mts'], user), '');
  });
});
