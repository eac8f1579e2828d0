import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { createEndpoint, type Endpoint, type RequestOptions } from '@watchword/endpoint';
import { toAxios } from '@watchword/endpoint/axios';
import { toFetch } from '@watchword/endpoint/fetch';
import { toGot } from '@watchword/endpoint/got';
import { toUndici } from '@watchword/endpoint/undici';
import axios from 'axios';
import got from 'got';
import * as undici from 'undici';

/** What the server was sent. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Its own: to close the global one would end the `fetch` of all test files that follow in this process. */
const agent = new undici.Agent();

const CLIENTS: Readonly<Record<string, (options: RequestOptions) => Promise<string>>> = {
  fetch: async (options) => (await fetch(...toFetch(options))).text(),
  undici: async (options) => {
    const [url, settings] = toUndici(options);
    return (await undici.request(url, { ...settings, dispatcher: agent } as never)).body.text();
  },
  axios: async (options) =>
    (await axios({ ...toAxios(options), responseType: 'text', transformResponse: [] })).data,
  got: async (options) => {
    const [url, settings] = toGot(options);
    return got(url, { ...settings, throwHttpErrors: false } as never).text();
  },
};

/** Answers with what it was sent; nothing at `/hang`. */
const server = createServer(async (request, response) => {
  if (request.url === '/hang') return;
  const body = (await request.toArray()).map((part: Buffer) => part.toString('latin1')).join('');
  const { method, url, headers } = request;
  response.end(JSON.stringify({ method, url, headers, body }));
});
let api: Endpoint;

before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  api = createEndpoint({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
after(() => {
  server.closeAllConnections();
  server.close();
  return agent.close();
});

for (const [client, send] of Object.entries(CLIENTS)) {
  const ask = async (options: RequestOptions): Promise<Received> => JSON.parse(await send(options));

  describe(`the adapter of ${client}`, () => {
    test('sends method, URL, headers and JSON as they are built', async () => {
      const headers = { 'x-a': 'b', 'user-agent': 'own/1' };
      for (const method of ['PATCH', 'POST', 'PUT', 'DELETE', 'QUERY']) {
        const received = await ask(api(`${method} /x/{id}{?q}`, { id: 'a b', q: 'ü', headers, title: 'é' }));
        assert.deepEqual([received.method, received.url], [method, '/x/a%20b?q=%C3%BC']);
        assert.equal(received.body, Buffer.from('{"title":"é"}').toString('latin1'));
        assert.equal(received.headers['content-type'], 'application/json; charset=utf-8');
        assert.deepEqual([received.headers['x-a'], received.headers['user-agent']], ['b', 'own/1']);
      }
      const { method, url, body } = await ask(api('GET /x', { q: ['a', 'b c'] }));
      assert.deepEqual([method, url, body], ['GET', '/x?q=a,b%20c', '']);
    });

    test('sends text, bytes, forms and streams as they are', async () => {
      const type = { headers: { 'content-type': 'application/json' } };
      for (const [data, expected] of [
        ['{ "a":  1 }', '{ "a":  1 }'],
        ['no JSON', 'no JSON'],
        [new Uint8Array([0, 116, 120, 0]).subarray(1, 3), 'tx'],
        [Readable.from([Buffer.from('stream')]), 'stream'],
        [null, 'null'],
      ] as const) {
        const { body, headers } = await ask(api('PUT /x', { ...type, data }));
        assert.equal(body, expected);
        assert.equal(headers['content-type'], 'application/json');
      }
      const form = await ask(api('POST /x', { data: new URLSearchParams({ a: 'b c' }) }));
      assert.equal(form.body, 'a=b+c');
      assert.match(form.headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/);
    });

    test('asks for a signal of its own for each request, and ends the request by it', async () => {
      const signals: AbortSignal[] = [];
      const signal = () => {
        const next =
          signals.length === 0 ? AbortSignal.abort(new Error('enough')) : new AbortController().signal;
        signals.push(next);
        return next;
      };
      const limited = api.defaults({ request: { signal } });
      await assert.rejects(send(limited('GET /x')));
      assert.equal((await ask(limited('GET /x', { request: { a: undefined } }))).url, '/x');
      assert.equal(signals.length, 2);
    });

    test('ends a request after its time limit', async () => {
      await assert.rejects(send(api('GET /hang', { request: { timeout: () => 20, retry: { limit: 0 } } })));
    });
  });
}

test('an adapter hands the options of its client on, and changes nothing of what it is given', () => {
  const options = api('POST /x', { a: 1, request: { dispatcher: 1, timeout: 5, method: 'no', fetch } });
  const before = structuredClone({ ...options, request: null });
  for (const [adapted, timeout] of [
    [toUndici(options)[1], undefined],
    [toAxios(options), 5],
    [toGot(options)[1], { request: 5 }],
    [{ ...toFetch(options)[1] } as Record<string, unknown>, undefined],
  ] as const) {
    assert.deepEqual([adapted.method, adapted.dispatcher, adapted.timeout], ['POST', 1, timeout]);
    assert.ok(!('fetch' in adapted));
    (adapted.headers as Record<string, string>).changed = 'x';
  }
  assert.deepEqual({ ...options, request: null }, before);
});
