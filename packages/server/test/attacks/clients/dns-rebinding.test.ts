import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask } from '@watchword/server-testkit/clients/ask';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { parseRaw, rawRequest } from '../../support/raw-http.ts';

const foreign = 'evil.example';
const paths = ['/', '/authorize', '/oauth2/token', '/v1/tokeninfo', '/client/client.html', '/nowhere'];
const probes = ['/healthz', '/readyz', '/metrics'];
const known = ['localhost', 'LOCALHOST:1', '127.0.0.1:9', '127.9.9.9', '[::1]:8080', 'app.localhost', ''];
const strange = [
  ...['localhost.evil.example', '127.0.0.1.evil.example', 'evil.example#localhost', 'localhost@evil.example'],
  ...[
    'evil.example/localhost',
    'localhost:99999',
    '0.0.0.0',
    '192.168.1.2',
    '[::2]',
    'localhost, evil.example',
  ],
];

const withHost = async ({ port }: TestServer, host: string, path = '/', headers = {}) =>
  ask(`http://127.0.0.1:${port}${path}`, { headers: { host, ...headers } });

describe('a server with a loopback base URL', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ authenticator: 'password', allowedHosts: 'Box.local,fd00::1' });
  });
  after(() => server[Symbol.asyncDispose]());

  it('refuses a request for a foreign host with 421, except at the addresses of probes', async () => {
    for (const path of paths) {
      const { status, text } = await withHost(server, foreign, path);
      assert.equal(status, 421, path);
      assert.match(text, /name it in allowedHosts/);
      assert.doesNotMatch(text, /evil/);
    }
    for (const path of probes) assert.equal((await withHost(server, foreign, path)).status, 200, path);
  });

  it('refuses it also when it does not arrive whole, and when its target names the host', async () => {
    const lines = [
      `GET / HTTP/1.1\r\nHost: ${foreign}\r\nTE: trailers\r\nConnection: close`,
      `GET / HTTP/1.0\r\nHost: ${foreign}`,
      `GET http://${foreign}/ HTTP/1.1\r\nHost: localhost\r\nConnection: close`,
      `GET http:///oauth2/jwks HTTP/1.1\r\nHost: ${foreign}\r\nConnection: close`,
      `POST /oauth2/token HTTP/1.1\r\nHost: ${foreign}\r\nContent-Length: 9\r\nConnection: close`,
      `OPTIONS /oauth2/token HTTP/1.1\r\nHost: ${foreign}\r\nOrigin: http://${foreign}\r\nConnection: close`,
    ];
    for (const head of lines) {
      const { status } = parseRaw(await rawRequest(server.port, `${head}\r\n\r\n`));
      assert.equal(status, 421, head);
    }
  });

  it('answers for every loopback host, whatever the port, and for hosts that a setting allows', async () => {
    for (const host of [...known, 'box.local', 'BOX.local:8080', '[fd00::1]', '[FD00:0::1]:80']) {
      assert.equal((await withHost(server, host)).status, 200, host);
    }
    assert.equal((await withHost(server, foreign)).status, 421);
    for (const host of strange) assert.equal((await withHost(server, host)).status, 421, host);
  });

  it('answers a request of HTTP/1.0 that names no host, at every address', async () => {
    for (const path of [...probes, '/', '/oauth2/jwks']) {
      const answer = await rawRequest(server.port, `GET ${path} HTTP/1.0\r\n\r\n`);
      assert.match(answer, /^HTTP\/1\.1 200 /, path);
    }
  });

  it('shows a browser why, and what to do', async () => {
    const { status, text } = await withHost(server, foreign, '/client/client.html', { accept: 'text/html' });
    assert.equal(status, 421);
    assert.match(text, /does not go by this name/);
    assert.match(text, /allowedHosts/);
  });
});

describe('a server for production', () => {
  it('answers for every host, because its base URL can be behind several proxies', async () => {
    const baseUrl = 'https://as.example';
    await using server = await startServer({ authenticator: 'password', baseUrl });
    assert.equal((await withHost(server, foreign)).status, 200);
  });

  it('refuses foreign hosts if one of its modules is for development', async () => {
    const baseUrl = 'https://as.example';
    await using server = await startServer({
      authenticator: 'form',
      baseUrl,
      allowInsecureAuthentication: 'true',
    });
    assert.equal((await withHost(server, foreign)).status, 421);
    assert.equal((await withHost(server, 'as.example')).status, 200);
  });
});

describe('the client of the administration pages', () => {
  it('gets no response by form_post, so that no answer of the server contains its token', async () => {
    await using server = await startServer();
    const query = new URLSearchParams({
      ...{ response_type: 'token', client_id: 'authorization-server-admin-js-client' },
      ...{ redirect_uri: `${server.service.baseUrl}/client/client.html`, scope: 'read write' },
    });
    const open = () => new UserAgent().get(`${server.baseUrl}/authorize?${query}`);
    assert.equal((await open()).status, 200);
    query.set('response_mode', 'form_post');
    const { status, location = '' } = await open();
    assert.equal(status, 303);
    const answer = new URLSearchParams(new URL(location).hash.slice(1));
    assert.equal(answer.get('error'), 'invalid_request');
    assert.equal(
      answer.get('error_description'),
      'The response_mode of response_type=token must be fragment or jwt or fragment.jwt.',
    );
  });
});
