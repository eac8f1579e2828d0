import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { installLibraries, type LibraryUser, resolutions } from './library-user.ts';
import { installed } from './link-dependencies.ts';

/** Tests of the packed library; `packed` returns the file of a package. */
export function packedResourceServer(packed: (name: string) => string): void {
  describe('the packed tarball of resource-server', () => {
    let user: LibraryUser;

    before(async () => {
      user = await installLibraries([packed('resource-server')]);
    });
    after(() => user[Symbol.asyncDispose]());

    const USE = `const verifier = fakeVerifier();
const guard = createGuard(verifier, { scope: 'read' });
guard('Bearer ' + verifier.issue({ scopes: ['read'] })).then(({ principal }) => console.log(principal.name));`;

    test('can be imported', () => {
      writeFileSync(
        user.file('use.mjs'),
        `import { createGuard } from '@watchword/resource-server';
import { fakeVerifier } from '@watchword/resource-server/testing';
${USE}`,
      );
      assert.equal(user.run('use.mjs').trim(), 'test-user');
    });

    test('can be required', () => {
      writeFileSync(
        user.file('use.cjs'),
        `const { createGuard } = require('@watchword/resource-server');
const { fakeVerifier } = require('@watchword/resource-server/testing');
${USE}`,
      );
      assert.equal(user.run('use.cjs').trim(), 'test-user');
    });

    test('has middleware without its framework', () => {
      writeFileSync(
        user.file('all.mjs'),
        `for (const name of ['express', 'fastify', 'fetch', 'node']) {
  const { protect } = await import('@watchword/resource-server/' + name);
  console.log(typeof protect);
}`,
      );
      assert.equal(user.run('all.mjs'), 'function\n'.repeat(4));
    });

    test('is one copy of CommonJS, which loads no ES module, however it is loaded', () => {
      writeFileSync(
        user.file('same.cjs'),
        `const entries = ['', '/express', '/fastify', '/fetch', '/node', '/testing'].map((entry) => '@watchword/resource-server' + entry);
const required = entries.map((entry) => require(entry));
const loaded = Object.keys(require.cache).filter((file) => !file.endsWith('.cjs'));
Promise.all(entries.map((entry) => import(entry))).then((modules) => {
  const twice = modules.flatMap((one, index) => Object.keys(required[index]).filter((name) => one[name] !== required[index][name]));
  console.log(JSON.stringify({ loaded, twice }));
});`,
      );
      assert.deepEqual(JSON.parse(user.run('same.cjs')), { loaded: [], twice: [] });
    });

    test('carries the licence of jose, whose code is in it', () => {
      const license = readFileSync(
        join(user.path, 'node_modules/@watchword/resource-server/dist/jose.LICENSE'),
        'utf8',
      );
      assert.match(license, /MIT License.*Copyright \(c\) 2018 Filip Skokan/s);
    });

    for (const [module, moduleResolution, lib] of resolutions) {
      test(`has types with moduleResolution ${moduleResolution} and lib ${lib}`, () => {
        const isWeb = lib.includes('dom');
        writeFileSync(
          user.file('use.mts'),
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
        const flags = ['--skipLibCheck', 'false', '--types', ''];
        const resolution = ['--module', module, '--moduleResolution', moduleResolution, '--lib', lib];
        assert.equal(user.compile(...flags, ...resolution, 'use.mts'), '');
      });
    }

    test('has token info in the types of Fastify, Express and Hono', () => {
      for (const name of ['fastify', 'express', 'hono', '@types']) {
        symlinkSync(join(installed, name), join(user.path, 'node_modules', name), 'junction');
      }
      writeFileSync(
        user.file('frameworks.mts'),
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
      const flags = ['--skipLibCheck', '--types', 'node'];
      const resolution = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024'];
      assert.equal(user.compile(...flags, ...resolution, 'frameworks.mts'), '');
    });
  });
}
