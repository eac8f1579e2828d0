import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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
        `for (const name of ['express', 'fastify', 'fetch', 'koa', 'node']) {
  const { protect } = await import('@watchword/resource-server/' + name);
  console.log(typeof protect);
}`,
      );
      assert.equal(user.run('all.mjs'), 'function\n'.repeat(5));
    });

    test('is one copy of CommonJS, which loads no ES module, however it is loaded', () => {
      writeFileSync(
        user.file('same.cjs'),
        `const entries = ['', '/express', '/fastify', '/fetch', '/koa', '/node', '/testing'].map((entry) => '@watchword/resource-server' + entry);
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

    test('has token info in the types of Fastify, Express, Hono, Koa and NestJS', () => {
      linkFrameworks();
      writeFileSync(
        user.file('frameworks.mts'),
        `import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { Controller, Get, Module } from '@nestjs/common';
import Koa from 'koa';
import { createServer } from 'node:http';
import { createTokenVerifier, type TokenInfo } from '@watchword/resource-server';
import { protect as forExpress } from '@watchword/resource-server/express';
import { protect as forFastify } from '@watchword/resource-server/fastify';
import { protect as forHono } from '@watchword/resource-server/hono';
import { type KoaState, protect as forKoa } from '@watchword/resource-server/koa';
import { Public, Scopes, TokenInfo as Info, WatchwordModule } from '@watchword/resource-server/nestjs';
import { protect as forNode } from '@watchword/resource-server/node';
const verifier = createTokenVerifier();
type Found = TokenInfo | undefined;
fastify().addHook('onRequest', forFastify(verifier)).get('/', async ({ tokenInfo }) => tokenInfo satisfies Found);
express().use(forExpress(verifier)).get('/', ({ tokenInfo }, response) => void response.json(tokenInfo satisfies Found));
new Hono().use(forHono(verifier)).get('/', (context) => context.json(context.get('tokenInfo') satisfies Found));
new Koa<KoaState>().use(forKoa(verifier)).use((context) => void (context.body = context.state.tokenInfo satisfies Found));
createServer(forNode(verifier, {}, ({ tokenInfo }, response) => void response.end((tokenInfo satisfies TokenInfo).audience)));
@Controller()
class Orders {
  @Get()
  @Scopes('read')
  get(@Info() info: Info): string {
    return (info satisfies TokenInfo).audience;
  }
  @Get('health')
  @Public()
  health(): void {}
}
@Module({ imports: [WatchwordModule.forRoot({ verifier, rules: { scope: 'read' } })], controllers: [Orders] })
export class Application {}
@Module({ imports: [WatchwordModule.forRootAsync({ useFactory: () => ({ verifier }) })] })
export class Later {}
`,
      );
      const flags = ['--skipLibCheck', '--types', 'node'];
      const decorators = ['--experimentalDecorators', '--emitDecoratorMetadata', '--isolatedModules'];
      const resolution = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024'];
      assert.equal(user.compile(...flags, ...decorators, ...resolution, 'frameworks.mts'), '');
    });

    for (const [kind, extension, load] of [
      ['ES modules', 'mjs', (name: string) => `await import('${name}')`],
      ['CommonJS', 'cjs', (name: string) => `require('${name}')`],
    ] as const) {
      test(`throws errors that are exceptions of Hono and NestJS, loaded as ${kind}`, () => {
        linkFrameworks();
        const program = `async function main() {
  const { HTTPException } = ${load('hono/http-exception')};
  const { HttpException } = ${load('@nestjs/common')};
  const { TokenRejected } = ${load('@watchword/resource-server')};
  const { protect } = ${load('@watchword/resource-server/hono')};
  const { TokenGuard } = ${load('@watchword/resource-server/nestjs')};
  const { fakeVerifier } = ${load('@watchword/resource-server/testing')};
  const { Hono } = ${load('hono')};
  const app = new Hono().use(protect(fakeVerifier(), { errors: 'throw' })).get('/', (context) => context.text('in'));
  app.onError((error) => new Response(String(error instanceof HTTPException), { status: error.status }));
  const answer = await app.request('/');
  const request = { method: 'GET', headers: {} };
  const http = { getRequest: () => request, getResponse: () => ({ header() {} }) };
  const context = { getHandler: () => main, getClass: () => Hono, getType: () => 'http', switchToHttp: () => http };
  const refusal = await new TokenGuard(fakeVerifier()).canActivate(context).catch((error) => error);
  console.log(answer.status, await answer.text(), new TokenRejected('unknown') instanceof HTTPException, refusal instanceof HttpException, refusal.getStatus());
}
main();
`;
        writeFileSync(user.file(`exceptions.${extension}`), program);
        assert.equal(user.run(`exceptions.${extension}`).trim(), '401 true true true 401');
      });
    }

    function linkFrameworks(): void {
      for (const name of [
        'fastify',
        'express',
        'hono',
        'koa',
        '@nestjs',
        'rxjs',
        'reflect-metadata',
        '@types',
      ]) {
        const link = join(user.path, 'node_modules', name);
        if (!existsSync(link)) symlinkSync(join(installed, name), link, 'junction');
      }
    }
  });
}
