import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type LanguageService, languageService, SOURCE } from './support/language-service.ts';

const program = (call: string) => `import { createEndpoint, endpoint } from ${JSON.stringify(SOURCE)};
interface paths {
  '/shops/{shop}/orders': {
    parameters: { query?: never; path?: never };
    get: { parameters: { path: { shop: string }; query?: { page?: number; state?: 'open' | 'closed' } }; responses: { 200: { content: { 'application/json': { id: number }[] } } } };
    put?: never;
    post: { parameters: { path: { shop: string } }; requestBody: { content: { 'application/json': { item: string; count?: number } } }; responses: { 201: { content: { 'application/json': { id: number } } } } };
  };
}
const shop = createEndpoint<paths>({ baseUrl: 'https://a.example' });
${call}
`;

describe('an editor', () => {
  let service: LanguageService;
  before(async () => {
    service = await languageService();
  });
  after(() => service[Symbol.asyncDispose]());

  for (const [call, names] of [
    ["endpoint('GET /repos/{owner}/{repo}', { ▮ });", ['owner', 'repo', 'headers', 'baseUrl', 'style']],
    ["endpoint('GET /repos/{owner}/:repo', { owner: 'o', ▮ });", ['repo', 'headers']],
    ["endpoint('GET /repos/{owner}', {}, { ▮ });", ['owner']],
    ["endpoint.url('GET /repos/{owner}', { ▮ });", ['owner', 'baseUrl']],
    ["endpoint.merge('GET /repos/{owner}', { ▮ });", ['owner', 'headers']],
    ["endpoint.defaults({ owner: 'o' })('GET /repos/{owner}/{repo}', { ▮ });", ['repo', 'owner']],
    ["shop('▮');", ['GET /shops/{shop}/orders', 'POST /shops/{shop}/orders']],
    ["shop('GET /shops/{shop}/orders', { ▮ });", ['shop', 'page', 'state', 'headers', 'request']],
    ["shop('POST /shops/{shop}/orders', { ▮ });", ['shop', 'item', 'count', 'headers']],
    ["shop('GET /shops/{shop}/orders', { shop: 's', state: '▮' });", ['open', 'closed']],
    ["shop({ url: '▮' });", ['/shops/{shop}/orders']],
    ["shop({ url: '/shops/{shop}/orders', ▮ });", ['shop', 'page', 'state', 'method', 'headers']],
    [
      "shop({ method: 'POST', url: '/shops/{shop}/orders', ▮ });",
      ['shop', 'item', 'count', 'headers', 'strict'],
    ],
    ["shop('GET /shops/{shop}/orders', { shop: 's' }, { ▮ });", ['page', 'state']],
    ["shop.merge('GET /shops/{shop}/orders', { ▮ });", ['shop', 'page', 'state', 'headers']],
    ["shop.url('GET /shops/{shop}/orders', {}, { ▮ });", ['shop', 'page']],
  ] as const) {
    test(`offers ${names.join(', ')} in ${call}`, async () => {
      const offered = await service.completions(program(call));
      assert.deepEqual(
        names.filter((name) => !offered.includes(name)),
        [],
        `offered: ${offered.join()}`,
      );
    });
  }

  test('shows the overload of a call, its parameters and an example', async () => {
    for (const [call, ...texts] of [
      [
        "▮endpoint('GET /repos/{owner}', { owner: 'o' });",
        'owner',
        '@param `route`',
        '@param `options`',
        "endpoint('GET /repos/{owner}/{repo}/issues'",
      ],
      ["▮endpoint('GET /repos/{owner}', {}, { owner: 'o' });", '@param `parameters`', 'URLSearchParams'],
      ["▮endpoint({ url: '/x' });", '@param `options` — with `url`', "method: 'POST'"],
      [
        "▮shop('GET /shops/{shop}/orders', { shop: 's' });",
        '@param `route`',
        'page?: number',
        'id: number',
        "github('GET /repos",
      ],
      ["shop.▮url('GET /shops/{shop}/orders', { shop: 's' });", ') => string', 'page?: number'],
      ["▮shop({ url: '/shops/{shop}/orders', shop: 's' });", '@param `options` — with `url`', 'id: number'],
      ["▮shop('GET /shops/{shop}/orders', {}, { shop: 's' });", '@param `parameters`', 'page?: number'],
    ] as const) {
      const shown = await service.hover(program(call));
      assert.deepEqual(
        texts.filter((text) => !shown.includes(text)),
        [],
        shown,
      );
    }
  });
});
