import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { readConsoleFiles } from '../../src/console/files.ts';
import { consolePage } from '../../src/console/page.ts';
import { consoleLanguages } from '../../src/console/texts.ts';
import { consoleRoutes } from '../../src/features/console.ts';
import type { PageAnswers } from '../../src/http/page.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import { builtInConsoleLocales } from '../../src/pages/texts/locales.ts';
import { parseRaw, rawRequest } from '../support/raw-http.ts';

const pagePath = '/client/client.html';

describe('GET /client/client.html', () => {
  let server: TestServer;
  let files: readonly string[];
  before(async () => {
    server = await startServer();
    const { text } = await server.get(pagePath);
    files = [...text.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) => `/client/${name}`);
  });
  after(() => server[Symbol.asyncDispose]());

  it('is a page that no other page can frame, script, style or read, and that no cache keeps', async () => {
    const { status, headers } = await server.get(pagePath);
    assert.equal(status, 200);
    const policy = headers.get('content-security-policy') ?? '';
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]) {
      assert.ok(policy.split('; ').includes(directive), `${directive} in ${policy}`);
    }
    assert.doesNotMatch(policy, /unsafe|https:|\*|data:/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('strict-transport-security'), null);
  });

  it('names its files by relative addresses, and nothing on another host', async () => {
    const { text } = await server.get(pagePath);
    assert.ok(files.length >= 2, text);
    assert.doesNotMatch(text, /<script(?![^>]* src=)|<style|\son[a-z]+=|\sstyle=/);
    for (const [, address = ''] of text.matchAll(/(?:src|href)="([^"]*)"/g)) {
      assert.match(address, /^(?:\.\/assets\/|\/assets\/)/);
    }
  });

  it('has the heading of each page, and names the files that a browser with a login needs at once', async () => {
    const { text } = await server.get(pagePath, { 'accept-language': 'de' });
    assert.match(text, /<h1>Verwaltung<\/h1>/);
    assert.match(text, /<h1 hidden data-route="\/resource-servers">Ressourcenserver<\/h1>/);
    assert.doesNotMatch(text, /preload|<!--/);
    const known = await server.get(pagePath, { cookie: 'watchword_session=x' });
    const named = [...known.text.matchAll(/<link rel="(?:module)?preload"[^>]* href="\.(\/[^"]+)"/g)];
    assert.ok(named.length > 3, known.text);
    for (const [, address = ''] of named) {
      assert.equal((await server.get(`/client${address}`)).status, 200, address);
    }
  });

  it('names the base URL for its token requests, at every address of the server', async () => {
    const { text } = await server.get(pagePath, { 'x-forwarded-host': 'evil.example' });
    assert.ok(text.includes(`<meta name="watchword-issuer" content="${server.service.baseUrl}">`));
  });

  it('answers its files under the names of their content: cached for a year, compressed, with their type', async () => {
    for (const path of files) {
      const { status, headers } = await server.get(path, { 'accept-encoding': 'gzip, br;q=0.9' });
      assert.equal(status, 200, path);
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(headers.get('content-encoding'), 'br');
      assert.equal(headers.get('vary'), 'Accept-Encoding');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-type') ?? '', /^text\/(?:javascript|css); charset=utf-8$/);
      const plain = await server.get(path, { 'accept-encoding': 'br;q=0, identity' });
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.equal(plain.text, (await server.get(path, { 'accept-encoding': 'gzip' })).text);
    }
  });

  for (const path of [
    '/client',
    '/client/',
    '/client/assets',
    '/client/assets/',
    '/client/licenses.md',
    '/client/index.html',
    '/client/../client/client.html',
    '/client/%2e%2e/client/client.html',
    '/client/..%2fclient%2fclient.html',
    '/client/..%5cpackage.json',
    '/client/assets/..%2fclient.html',
    '/client/assets/..%2f..%2fpackage.json',
    '/client/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/client//client.html',
    '/client/.env',
    '/client/client.html%00.js',
  ]) {
    it(`has nothing at ${path}`, async () => {
      const { status } = parseRaw(
        await rawRequest(server.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
      );
      assert.ok(status === 404 || (status === 400 && path.includes('%00')), String(status));
    });
  }

  it('has no source map and no compressed file at an address of its own', async () => {
    for (const path of files) {
      for (const extension of ['.map', '.br', '.gz']) {
        assert.equal((await server.get(path + extension)).status, 404);
      }
    }
  });

  it('follows the path prefix of the base URL', async () => {
    await using prefixed = await startServer({
      baseUrl: 'https://id.example/auth',
      allowInsecureAuthentication: 'true',
    });
    const { status, text, headers } = await prefixed.get(pagePath);
    assert.equal(status, 200);
    assert.match(headers.get('strict-transport-security') ?? '', /^max-age=\d+/);
    assert.match(text, /<link rel="icon" href="\/auth\/assets\//);
    assert.ok(text.includes('content="https://id.example/auth"'));
    for (const path of files) {
      const file = await prefixed.get(path);
      assert.equal(file.status, 200);
      assert.match(file.headers.get('strict-transport-security') ?? '', /^max-age=\d+/);
    }
    const elsewhere = `http://127.0.0.1:${prefixed.port}${pagePath}`;
    assert.equal((await fetch(elsewhere)).status, 404);
  });
});

describe('the files of the GUI', () => {
  it('are exactly those that the build has written: no dotfile, no source map, no other file', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.file('assets'));
    for (const name of ['client.html', 'login-test.html'])
      await writeFile(directory.file(name), '<head></head>');
    const names = ['a-1.js', 'a-1.js.br', 'a-1.js.map', '.a.js', 'b.css', 'notes.md', 'x.html', 'a.min.js'];
    for (const name of names) await writeFile(directory.file(`assets/${name}`), name);
    const found = readConsoleFiles(directory.path)?.files ?? [];
    assert.deepEqual(found.map(({ path, codings }) => [path, ...codings]).sort(), [
      ['/client/assets/a-1.js', 'br'],
      ['/client/assets/b.css'],
    ]);
    assert.equal(String(found.find(({ path }) => path.endsWith('.js'))?.content('br')), 'a-1.js.br');
  });

  it('are replaced by a page with the command to run when they are missing', async () => {
    await using directory = await temporaryDirectory();
    assert.equal(readConsoleFiles(directory.path), undefined);
    const shown: unknown[] = [];
    const pages = {
      show: (_request: HttpRequest, page: unknown, options: unknown) => {
        shown.push(page, options);
        return {};
      },
    } as unknown as PageAnswers;
    const [endpoint] = consoleRoutes({
      files: undefined,
      buildCommand: 'npm run build',
      describe: () => assert.fail('there is no page to describe anything in'),
      languages: consoleLanguages(builtInConsoleLocales),
      isHttps: false,
      pages,
    });
    await endpoint?.methods.GET?.({ id: 'request-1' } as HttpRequest);
    assert.match(JSON.stringify(shown), /is not built.*run \\"npm run build\\" and restart the server/);
    assert.match(JSON.stringify(shown), /"status":503/);
  });

  it('contain the name of the product as text', () => {
    const page = consolePage({
      page: '<head></head>',
      texts: consoleLanguages(builtInConsoleLocales).forLanguage(undefined),
      issuer: 'http://localhost',
      alternatives: [],
      productName: '"><script>alert(1)</script>$&',
      logo: '/logo.svg',
      version: '1',
      usesCodes: false,
      implicitLifetime: 3600,
      signingAlgorithms: ['RS256'],
      hasLocalAccounts: true,
      hasSession: false,
    });
    assert.ok(page.includes('content="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;$&amp;"'), page);
    assert.doesNotMatch(page, /<script/);
  });
});
