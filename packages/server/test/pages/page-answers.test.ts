import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import {
  OAuthError,
  type ProtocolErrorName,
  protocolErrors,
  StoreUnavailableError,
} from '@watchword/protocol';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  type Answer,
  readAnswer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { pageAnswers } from '../../src/http/page.ts';
import { type EndpointServer, serveEndpoints } from '../support/endpoint-server.ts';
import { assertError } from '../support/error-answers.ts';
import { builtInPages, samplePage } from '../support/pages.ts';
import { parseRaw, rawRequest } from '../support/raw-http.ts';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

interface Site extends EndpointServer {
  get(path: string, init?: RequestInit): Promise<Answer>;
}

/** A server with one page, which shows the given content or throws the given error. */
async function startSite(answer: () => unknown, formTargets: readonly string[] = []): Promise<Site> {
  const pages = pageAnswers(builtInPages, '', () => undefined);
  const server = await serveEndpoints(
    [
      {
        path: '/page',
        page: true,
        methods: {
          GET: (request) => {
            const answered = answer();
            if (answered instanceof Error) throw answered;
            return pages.show(request, samplePage('login'), { status: 403, formTargets });
          },
        },
      },
    ],
    pages,
  );
  return {
    ...server,
    get: async (path, init) => readAnswer(await fetch(`http://127.0.0.1:${server.port}${path}`, init)),
  };
}

function assertErrorPage(answer: Answer, status: number): void {
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  const requestId = answer.headers.get('x-request-id') ?? '';
  assert.ok(requestId.length > 4);
  assert.ok(answer.text.includes(`<code>${requestId}</code>`), answer.text);
}

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

describe('an address for people', () => {
  it('answers with the page, its status and its headers', async () => {
    await using site = await startSite(() => undefined, ['https://app.example']);
    const { status, headers, text } = await site.get('/page', { headers: { 'accept-language': 'nl' } });
    assert.equal(status, 403);
    assert.match(text, /^<!doctype html>\n<html lang="nl"/);
    assert.match(headers.get('content-security-policy') ?? '', /form-action 'self' https:\/\/app\.example;/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('content-language'), 'nl');
  });

  it('answers every error with the error page and the same status, for every Accept header', async () => {
    let kind: ProtocolErrorName = 'invalid_request';
    await using site = await startSite(() => new OAuthError(kind, { retryAfter: 9 }));
    // One error of each status: protocol/test/model/errors.test.ts has the status of each.
    const errors = Object.entries(protocolErrors).map(([name, { status }]) => [status, name] as const);
    for (const [status, name] of new Map(errors)) {
      kind = name as ProtocolErrorName;
      const answer = await site.get('/page', { headers: { accept: 'application/json' } });
      assertErrorPage(answer, status);
      assert.equal(answer.headers.get('retry-after'), '9');
      assert.equal(answer.headers.get('www-authenticate'), null);
    }
  });

  it('shows the cause of an internal error in the log only', async () => {
    for (const [failure, status] of [
      [new Error('a broken pipe'), 500],
      [new StoreUnavailableError('a broken pipe'), 503],
    ] as const) {
      await using site = await startSite(() => failure);
      const answer = await site.get('/page');
      assertErrorPage(answer, status);
      assert.doesNotMatch(answer.text, /a broken pipe/);
      assert.match(
        site.log(),
        new RegExp(`a broken pipe.*"requestId":"${answer.headers.get('x-request-id')}"`),
      );
    }
  });

  it('answers a wrong method with the page and Allow', async () => {
    await using site = await startSite(() => undefined);
    const answer = await site.get('/page', { method: 'POST', headers: browser });
    assertErrorPage(answer, 405);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD');
  });

  it('answers HEAD like GET, without the page', async () => {
    await using site = await startSite(() => new OAuthError('invalid_request'));
    const answer = await site.get('/page', { method: 'HEAD' });
    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(answer.text, '');
  });
});

describe('an address for programs', () => {
  it('answers JSON, also to a browser', async () => {
    assertError(await server.get('/v1/tokeninfo', browser), 401, 'invalid_client');
  });

  it('is JSON for programs and a page for browsers where there is no route', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html', '']) {
      assertError(await server.get('/nothing', { accept }), 404, 'unknown_address');
    }
    assertErrorPage(await server.get('/nothing', browser), 404);
    const answer = await rawRequest(
      server.port,
      `GET /%zz HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*<!doctype html>/);
  });

  it('shows nothing of the request on the page', async () => {
    const path = '/nothing<script>?access_token=wwa_secret';
    const { text } = await server.get(path, { ...browser, 'accept-language': '<b>' });
    assert.doesNotMatch(text, /<script|wwa_secret|<b>/);
  });
});

describe('a file that pages refer to', () => {
  const linksOf = (page: string) =>
    [...page.matchAll(/<(?:link|img)[^>]*(?:href|src)="([^"]*)"/g)].map(([, path]) => path ?? '');

  it('can be cached for ever, because its address changes with its content', async () => {
    const links = linksOf((await server.get('/nothing', browser)).text);
    assert.equal(links.length, 3);
    for (const path of links) {
      const { status, headers } = await server.get(path);
      assert.equal(status, 200, path);
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(headers.get('pragma'), null);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(
        headers.get('content-type'),
        path.endsWith('css') ? 'text/css; charset=utf-8' : 'image/svg+xml',
      );
      const etag = headers.get('etag') ?? '';
      assert.match(path, new RegExp(`/assets/watchword\\.${etag.slice(1, -1)}\\.(?:css|svg)$`));
      for (const known of [etag, `"x", W/${etag}`, '*']) {
        const again = await server.get(path, { 'if-none-match': known });
        assert.equal(again.status, 304);
        assert.equal(again.text, '');
        assert.equal(again.headers.get('etag'), etag);
      }
      assert.equal((await server.get(path, { 'if-none-match': '"x"' })).status, 200);
    }
  });

  it('follows the path prefix of the base URL', async () => {
    await using server = await startServer({
      baseUrl: 'https://id.example/auth',
      allowInsecureAuthentication: 'true',
    });
    const { text, headers } = await server.get('/nothing', browser);
    assert.match(headers.get('strict-transport-security') ?? '', /^max-age=/);
    for (const path of linksOf(text)) {
      assert.match(path, /^\/auth\/assets\//);
      assert.equal((await server.get(path.slice('/auth'.length))).status, 200);
    }
  });

  it('is a logo and a stylesheet of the operator when they are configured', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('Our Logo.PNG'), 'png');
    await writeFile(directory.file('ours.css'), ':root { --accent: #123456 }');
    await using server = await startServer({
      'pages.productName': 'Emma & Co',
      'pages.logo': directory.file('Our Logo.PNG'),
      'pages.stylesheet': directory.file('ours.css'),
    });
    const { text } = await server.get('/nothing', browser);
    assert.match(text, /<span class="brand-name">Emma &amp; Co<\/span>/);
    const [icon = '', builtIn = '', theme = '', logo = ''] = linksOf(text);
    assert.match(builtIn, /watchword\.\w+\.css$/);
    assert.equal((await server.get(theme)).text, ':root { --accent: #123456 }');
    assert.equal(logo, icon);
    assert.equal((await server.get(logo)).headers.get('content-type'), 'image/png');
  });

  it('runs and loads nothing when it is opened directly', async () => {
    const [logo = ''] = linksOf((await server.get('/nothing', browser)).text);
    const { headers } = await server.get(logo);
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  });

  it('is the only content below its address', async () => {
    const [, stylesheet = ''] = linksOf((await server.get('/nothing', browser)).text);
    const name = stylesheet.slice('/assets/'.length);
    for (const path of [
      '/assets',
      '/assets/',
      '/assets/watchword.css',
      `${stylesheet}.map`,
      `${stylesheet}/`,
      `/assets/.${name}`,
      '/assets/.env',
      '/assets/../package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..%5c..%5cpackage.json',
      '/assets//etc/passwd',
      '/templates/login.eta',
      '/locales/en.json',
    ]) {
      const bytes = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      const { status, body } = parseRaw(await rawRequest(server.port, bytes));
      assert.equal(status, 404, path);
      assert.equal(body.error, 'unknown_address');
    }
  });
});
