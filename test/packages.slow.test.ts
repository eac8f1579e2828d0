import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { oldNode } from '@watchword/server-testkit/processes/old-node';
import { startProcess } from '@watchword/server-testkit/processes/process';
import { variants } from '@watchword/testkit';
import { tarballProblems } from '../scripts/release/tarball-problems.ts';
import { repository } from '../scripts/repository.ts';
import {
  type InstalledPackages,
  installPackages,
  published,
  repositoryVariables,
} from './support/installed-packages.ts';
import { packedEndpoint } from './support/packed-endpoint.ts';
import { packedResourceServer } from './support/packed-resource-server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { version } = JSON.parse(read('packages/server/package.json'));
const compilers = {
  'the compiler of this project': [compilerOf(import.meta.url), '--checkers', '1'],
  // It is a dependency of the type checker, and does not understand all declarations of other packages.
  'an older compiler': [compilerOf(import.meta.resolve('@arethetypeswrong/core')), '--skipLibCheck'],
};

function compilerOf(user: string): string {
  return join(createRequire(user).resolve('typescript/package.json'), '..', 'bin', 'tsc');
}

/** A CommonJS program that uses the libraries, and gets the same classes by `import()`. */
const commonJs = `
import { AdminError, createAdminClient } from '@watchword/admin-client';
import { createEndpoint, endpoint, EndpointError, type RequestOptions } from '@watchword/endpoint';
import type { AuthenticationModule } from '@watchword/protocol';
import { AccessError, createTokenVerifier, type TokenInfo } from '@watchword/resource-server';
import { protect } from '@watchword/resource-server/express';
import { protect as forFastify } from '@watchword/resource-server/fastify';
import { protect as forFetch } from '@watchword/resource-server/fetch';
import { protect as forHono } from '@watchword/resource-server/hono';
import { protect as forNode } from '@watchword/resource-server/node';
import { fakeVerifier } from '@watchword/resource-server/testing';
import express = require('express');
import { fastify } from 'fastify';
import { Hono } from 'hono';

export type Module = AuthenticationModule;
export const options: RequestOptions = endpoint('GET /users/{id}', { id: 1 });
export const admin = createAdminClient({ baseUrl: 'https://id.example.com', token: () => 'x' });
type Found = TokenInfo | undefined;
const verifier = fakeVerifier();
express().use(protect(verifier)).get('/', ({ tokenInfo }, response) => void response.json(tokenInfo satisfies Found));
fastify().addHook('onRequest', forFastify(verifier)).get('/', async ({ tokenInfo }) => tokenInfo satisfies Found);
new Hono().use(forHono(verifier)).get('/', (context) => context.json(context.get('tokenInfo') satisfies Found));

async function main(): Promise<void> {
  const modules = await Promise.all([
    import('@watchword/admin-client'),
    import('@watchword/endpoint'),
    import('@watchword/resource-server'),
  ]);
  const [admin, { EndpointError: SameError }, { AccessError: SameAccessError }] = modules;
  console.log(options.url, typeof createTokenVerifier, typeof createEndpoint, typeof forFetch, typeof forNode);
  console.log(AdminError === admin.AdminError, EndpointError === SameError, AccessError === SameAccessError);
}
void main();
`;

/** A module that prints a line with the addresses of all files that a program has loaded. */
const printLoaded = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => console.log('\\nloaded: ' + JSON.stringify(loaded)));
`;

describe('the published packages', () => {
  let installed: InstalledPackages;
  // Packing takes 15 seconds of processor time, which a loaded machine gives slowly.
  before(
    async () => {
      installed = await installPackages();
    },
    { timeout: 600_000 },
  );
  after(() => installed[Symbol.asyncDispose]());

  for (const name of published) {
    it(`${name}: has its licence, README, repository and every file that it names, and no problem that publint or attw report`, async () => {
      const expected = {
        name: `@watchword/${name}`,
        version,
        repository: repository(repositoryVariables, `packages/${name}`),
      };
      const data = new Uint8Array(readFileSync(installed.tarball(name)));
      assert.deepEqual(await tarballProblems(data, read('LICENSE'), expected), []);
    });

    it(`${name}: is unchanged after it was packed`, () => {
      const manifest = join('packages', name, 'package.json');
      assert.equal(readFileSync(installed.copy.file(manifest), 'utf8'), read(manifest));
      assert.ok(!existsSync(installed.copy.file(join('packages', name, 'LICENSE'))));
    });
  }

  it('run the command, with pages, texts and the GUI, and find the add-on by its name', async () => {
    const bin = join(installed.folder('server'), 'bin', 'watchword.js');
    const database = ['--database', installed.file('x.db')];
    const migrated = await installed.run(bin, 'migrate', '--json', ...database);
    assert.deepEqual(JSON.parse(migrated).pending, []);
    const create = ['resource-server', 'create', '--name', 'API'];
    assert.match(await installed.run(bin, ...create, ...database), /^key +api$/m);
    await using server = await startProcess(['--port', '0', ...database], (command) =>
      command.map((word) => (word.endsWith('watchword.js') ? bin : word)),
    );
    const headers = { accept: 'text/html', 'accept-language': 'nl' };
    const pages = ['/', '/client/client.html'].map((path) => fetch(`${server.baseUrl}${path}`, { headers }));
    const [start = '', console = ''] = await Promise.all(pages.map(async (page) => (await page).text()));
    assert.match(start, /lang="nl"/);
    assert.match(console, /<div id="root">/);
    await assert.rejects(
      installed.run(bin, 'serve', '--port', '0', '--authenticator', '@watchword/saml'),
      /authenticatorOptions\.identityProviders \(--authenticator-options\): expected/,
    );
  });

  it('start from a few files of their own, with Kysely and its licence in them', async () => {
    await writeFile(installed.file('loaded.mjs'), printLoaded);
    const loader = ['--import', pathToFileURL(installed.file('loaded.mjs')).href];
    const bin = join(installed.folder('server'), 'bin', 'watchword.js');
    const database = ['--database', installed.file('loaded.db')];
    const printed = await installed.run(...loader, bin, 'migrate', '--json', ...database);
    // One list of each thread and process.
    const lists = [...printed.matchAll(/^loaded: (.*)$/gm)];
    const loaded: string[] = lists.flatMap(([, list = '']) => JSON.parse(list));
    const own = loaded.filter((url) => url.includes('/@watchword/'));
    assert.ok(own.some((url) => url.endsWith('/store-sql/dist/index.js')));
    assert.ok(own.length < 60, `${own.length} files`);
    assert.deepEqual(
      loaded.filter((url) => url.includes('/kysely/')),
      [],
    );
    assert.match(readFileSync(join(installed.folder('store-sql'), 'dist', 'kysely.LICENSE'), 'utf8'), /MIT/);
  });

  packedEndpoint((name) => installed.tarball(name));
  packedResourceServer((name) => installed.tarball(name));

  for (const [compiler, command] of variants(1, Object.entries(compilers))) {
    it(`compile in a CommonJS program under "module": "node16" with ${compiler}, and share their classes with ES modules`, async () => {
      await writeFile(installed.file('use.cts'), commonJs);
      const flags = ['--strict', '--types', 'node', '--target', 'es2022', '--module', 'node16'];
      await installed.run(...command, ...flags, 'use.cts');
      for (const node of [process.execPath, ...(oldNode === undefined ? [] : [oldNode])]) {
        const printed = execFileSync(node, ['use.cjs'], { cwd: installed.path, encoding: 'utf8' });
        assert.equal(
          printed,
          'https://api.github.com/users/1 function function function function\ntrue true true\n',
        );
      }
    });
  }
});
