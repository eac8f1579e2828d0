import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/application';
import { startServer, type TestServer } from '@watchword/server-testkit/server';

const pattern = /^[0-9a-f]{10}-[0-9a-z]+$/;

describe('the id of a request', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const answered = new Set<string>();

  function idOf(headers: Headers, what: string): string {
    const id = headers.get('x-request-id') ?? '';
    assert.match(id, pattern, what);
    answered.add(id);
    return id;
  }

  it('is in each error answer of every endpoint, on every page as text, and in no other answer', async () => {
    const { endpoints } = server.service;
    assert.ok(endpoints.length > 60);
    for (const { path, methods } of endpoints) {
      for (const method of [...Object.keys(methods), 'PROPFIND']) {
        for (const accept of ['text/html', 'application/json']) {
          const what = `${method} ${path} ${accept}`;
          const answer = await fetch(`${server.baseUrl}${path.replaceAll(/:\w+/g, '1')}?scope=x`, {
            method,
            headers: { accept },
            redirect: 'manual',
            ...(['POST', 'PUT', 'PATCH'].includes(method) && { body: 'no form' }),
          });
          const body = await answer.text();
          if (answer.status < 400) {
            assert.equal(answer.headers.get('x-request-id'), null, what);
            continue;
          }
          const id = idOf(answer.headers, what);
          if (/html/.test(answer.headers.get('content-type') ?? '')) assert.ok(body.includes(id), what);
        }
      }
    }
  });

  it('is in the answer for an unknown address, in words on its page', async () => {
    const page = await server.get('/nothing', { accept: 'text/html' });
    assert.ok(page.text.includes(idOf(page.headers, 'page')));
    idOf((await server.get('/nothing')).headers, 'JSON');
  });

  it('is in a redirect that takes an error to a client, and not in the address that the client reads', async () => {
    const { client } = await registerApplication(server);
    const query = `response_type=code&client_id=${client.clientId}&prompt=none`;
    const answer = await fetch(`${server.baseUrl}/authorize?${query}`, { redirect: 'manual' });
    assert.equal(answer.status, 303);
    const location = answer.headers.get('location') ?? '';
    assert.match(location, /error=login_required/);
    assert.ok(!location.includes(idOf(answer.headers, 'redirect')));
  });

  it('is readable for a script of an allowed origin', async () => {
    const answer = await server.get('/oauth2/userinfo', { origin: 'http://127.0.0.1:1' });
    idOf(answer.headers, 'userinfo');
    const metadata = await server.get('/.well-known/openid-configuration', { origin: 'https://app.example' });
    assert.equal(metadata.headers.get('access-control-expose-headers'), 'x-request-id');
  });

  it('is in the answer to a connection that sends no valid HTTP', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('NONSENSE\r\n\r\n');
    const id = /^x-request-id: (\S+)\r$/m.exec(await text(socket))?.[1] ?? '';
    idOf(new Headers({ 'x-request-id': id }), 'connection');
  });

  it('is in the log, and is of one request', () => {
    const logged = [...server.log().matchAll(/"requestId":"([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(
      [...answered].filter((id) => !logged.includes(id)),
      [],
    );
    assert.ok(answered.size > 250);
  });
});
