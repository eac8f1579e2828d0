import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestServer } from '@watchword/server-testkit/servers/server';
import { moduleServer } from '../support/module-server.ts';

/** A module whose addresses `/own/0`, `/own/1` … answer the documents. */
const showing = (...answers: readonly string[]) => {
  const endpoints = answers.map(
    (answer, index) => `{ path: '/own/${index}', method: 'GET', answer: async () => (${answer}) }`,
  );
  return `export default () => ({
    name: 'own', begin: async () => ({ type: 'form' }), resume: async () => ({ type: 'form' }),
    endpoints: [${endpoints.join()}],
  });`;
};
const documentAllowing = (allow: unknown) =>
  `{ type: 'document', contentType: 'text/html', content: '<p>', allow: ${JSON.stringify(allow)} }`;

/** The headers of every answer over HTTP, and those that differ between pages. */
const ofTheAnswer = [
  'connection',
  'content-language',
  'content-length',
  'date',
  'keep-alive',
  'set-cookie',
  'x-request-id',
];

function headersOf({ headers }: { readonly headers: Headers }) {
  return Object.fromEntries([...headers].filter(([name]) => !ofTheAnswer.includes(name)));
}

const digest = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='";
const allow = {
  scripts: [digest, 'https://cdn.example'],
  styles: ['https://cdn.example:8443'],
  pictures: ['data:', 'https://*.example'],
  fonts: ['data:'],
  connections: ['wss://live.example', 'http://localhost:3000'],
  frames: [],
  forms: ['https://idp.example'],
};

const forbidden = [
  ['scripts', "'unsafe-inline'"],
  ['scripts', "'unsafe-eval'"],
  ['scripts', "'nonce-a'"],
  ['scripts', 'data:'],
  ['scripts', '*'],
  ['scripts', 'https:'],
  ['scripts', 'http://cdn.example'],
  ['styles', "https://a.example 'unsafe-inline'"],
  ['styles', 'https://a.example; script-src *'],
  ['styles', 'https://a.example, https://b.example'],
  ['pictures', 'https://a.example\r\nset-cookie: a=b'],
  ['frames', 'data:'],
  ['forms', 'javascript:'],
  ['ancestors', 'https://a.example'],
] as const;

describe('a document of a module', () => {
  let server: TestServer;
  before(async () => {
    const documents = [
      `{ type: 'document', contentType: 'application/xml', content: '<a/>', status: 410 }`,
      documentAllowing(allow),
      `{ type: 'document', contentType: 'text/html', content: '<p>', authState: '"><script>' }`,
      ...forbidden.map(([kind, source]) => documentAllowing({ [kind]: [source] })),
    ];
    server = await moduleServer('authenticator', showing(...documents));
  });
  after(() => server[Symbol.asyncDispose]());

  for (const baseUrl of ['http://localhost:8080', 'https://id.example']) {
    it(`has the headers of the server's own pages (${baseUrl})`, async () => {
      const page = `{ type: 'document', contentType: 'text/html; charset=utf-8', content: '<p>Hello' }`;
      const flags = { baseUrl, allowInsecureAuthentication: 'true' };
      await using server = await moduleServer('authenticator', showing(page), flags);
      const [own, start] = [await server.get('/own/0'), await server.get('/logout')];
      assert.equal(own.text, '<p>Hello');
      assert.equal(own.status, 200);
      assert.deepEqual(headersOf(own), headersOf(start));
      assert.match(own.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    });
  }

  it('has these headers also when it is for programs, or an error', async () => {
    const own = await server.get('/own/0');
    assert.deepEqual([own.status, own.headers.get('content-type')], [410, 'application/xml']);
    assert.match(own.headers.get('x-request-id') ?? '', /./, 'an answer has the id of its request');
    const expected = { ...headersOf(await server.get('/logout')), 'content-type': 'application/xml' };
    assert.deepEqual(headersOf(own), expected);
  });

  it('can use the sources that it names, this server, and no others', async () => {
    const { headers } = await server.get('/own/1');
    assert.deepEqual(headers.get('content-security-policy')?.split('; '), [
      "default-src 'none'",
      `script-src 'self' ${digest} https://cdn.example`,
      "style-src 'self' https://cdn.example:8443",
      "connect-src 'self' wss://live.example http://localhost:3000",
      "font-src 'self' data:",
      "frame-src 'self'",
      "img-src 'self' data: https://*.example",
      "form-action 'self' https://idp.example",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]);
    assert.equal(headers.get('x-frame-options'), 'DENY');
  });

  it('is not shown for a login of another browser', async () => {
    const answer = await server.get('/own/2');
    assert.equal(answer.status, 403);
    assert.doesNotMatch(answer.text, /"><script>/);
  });

  for (const [index, [kind, source]] of forbidden.entries()) {
    it(`is not shown when it asks for ${JSON.stringify(source)} among its ${kind}`, async () => {
      const path = `/own/${index + 3}`;
      assert.equal((await server.get(path)).status, 500);
      const failure = new RegExp(`"module":"own","call":"GET ${path}".*"failure":"invalid_answer"`);
      assert.match(server.log(), failure);
    });
  }
});
