import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import {
  demoClient,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { assertError } from '../support/error-answers.ts';

const wellKnown = '/.well-known/oauth-authorization-server';

let server: TestServer;
let below: TestServer;
before(async () => {
  server = await startServer();
  below = await startServer({
    baseUrl: 'https://id.example/auth/v2',
    allowInsecureAuthentication: 'true',
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await below[Symbol.asyncDispose]();
});

describe('the base URL', () => {
  it('is the issuer of the metadata, and the start of every endpoint', async () => {
    const { json, status } = await server.get(wellKnown);
    assert.equal(status, 200);
    assert.equal(json.issuer, server.service.baseUrl);
    assert.equal(json.authorization_endpoint, `${json.issuer}/oauth2/authorize`);
    const grants = ['client_credentials', 'authorization_code', 'refresh_token', 'implicit'];
    assert.deepEqual(json.grant_types_supported, grants);
    assert.deepEqual(json.response_types_supported, [
      'code',
      'token',
      'id_token',
      'id_token token',
      'code id_token',
      'code token',
      'code id_token token',
    ]);
    assert.deepEqual(json.ui_locales_supported.toSorted(), ['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt']);
    for (const name of ['token', 'revocation', 'introspection']) {
      assert.ok(json[`${name}_endpoint`].startsWith(`${json.issuer}/oauth2/`));
      assert.ok(json[`${name}_endpoint_auth_methods_supported`].includes('client_secret_basic'));
    }
  });

  it('can have a path, which is the prefix of every route; the metadata also has the path-inserted address', async () => {
    const root = `http://127.0.0.1:${below.port}`;
    const { json } = await below.get(wellKnown);
    const inserted = await fetch(`${root}${wellKnown}/auth/v2`);
    assert.deepEqual(await inserted.json(), json);
    assert.equal(json.issuer, 'https://id.example/auth/v2');
    assert.equal(json.token_endpoint, 'https://id.example/auth/v2/oauth2/token');
    const token = await below.issueToken();
    const info = await below.post('/v1/tokeninfo', { access_token: token }, demoResourceServer);
    assert.equal(info.status, 200);
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      assert.equal((await below.get(path)).status, 200);
      assert.equal((await fetch(`${root}${path}`)).status, 404);
    }
    assert.equal((await fetch(`${root}/oauth2/token`, { method: 'POST' })).status, 404);
  });

  it('comes from the configuration alone, never from a header', async () => {
    const { json } = await below.get(wellKnown, {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    });
    assert.equal(json.issuer, 'https://id.example/auth/v2');
  });

  it('answers an unknown address with 404 in the form of every error', async () => {
    for (const path of ['//', '/nothing', '/oauth2', '/oauth2/token/', '/v1/tokeninfo/x', '/admin/clients']) {
      assertError(await server.get(path), 404, 'unknown_address');
    }
  });
});

describe('the metadata', () => {
  it('can be read by scripts of every origin, and cached for five minutes', async () => {
    for (const origin of [undefined, 'https://anybody.example', 'null']) {
      const answer = await server.get(wellKnown, origin === undefined ? {} : { origin });
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('access-control-allow-credentials'), null);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
      assert.equal(answer.headers.get('pragma'), null);
      assert.equal(answer.headers.get('vary'), null);
    }
  });

  it('answers a preflight of every origin that it can be read, with any header field', async () => {
    for (const path of [
      '/auth/v2/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/auth/v2',
      '/auth/v2/.well-known/openid-configuration',
      '/.well-known/openid-configuration/auth/v2',
      '/auth/v2/oauth2/jwks',
    ]) {
      const headers = {
        origin: 'https://anybody.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,mcp-protocol-version,x-any',
      };
      const url = new URL(path, `http://127.0.0.1:${below.port}`);
      const preflight = await fetch(url, { method: 'OPTIONS', headers });
      assert.equal(preflight.status, 204, path);
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /GET/);
      const fields = (preflight.headers.get('access-control-allow-headers') ?? '').split(', ');
      for (const field of ['*', 'authorization', 'mcp-protocol-version'])
        assert.ok(fields.includes(field), field);
      assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
      assert.equal(preflight.headers.get('cache-control'), 'no-store');
    }
  });
});

describe('cross-origin requests', () => {
  const publicClient = {
    allowedClientCredentials: false,
    allowedImplicitGrant: true,
    redirectUris: ['https://app.example/callback', 'com.example.app:/cb'],
  };
  const origin = 'https://app.example';
  const paths = ['/oauth2/token', '/oauth2/revoke'];

  it('are permitted at the token and revocation endpoints for the origins of public clients, without CORS credentials', async () => {
    const before = await fetch(`${server.baseUrl}/oauth2/token`, { method: 'POST', headers: { origin } });
    assert.equal(before.headers.get('access-control-allow-origin'), null);
    await registerClient(server, publicClient);
    for (const path of paths) {
      const preflight = await fetch(`${server.baseUrl}${path}`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-origin'), origin);
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/);
      assert.equal(
        preflight.headers.get('access-control-allow-headers'),
        'authorization, content-type, dpop',
      );
      const answer = await fetch(`${server.baseUrl}${path}`, { method: 'POST', headers: { origin } });
      assert.equal(answer.headers.get('access-control-allow-origin'), origin);
      assert.equal(answer.headers.get('access-control-allow-credentials'), null);
      assert.match(answer.headers.get('vary') ?? '', /Origin/);
    }
  });

  it('are permitted from any port where a public client has a loopback redirect URI', async () => {
    await registerClient(server, { ...publicClient, redirectUris: ['http://[::1]/callback'] });
    for (const path of paths) {
      for (const port of ['', ':5173']) {
        const from = `http://[::1]${port}`;
        const answer = await fetch(`${server.baseUrl}${path}`, { method: 'POST', headers: { origin: from } });
        assert.equal(answer.headers.get('access-control-allow-origin'), from);
      }
    }
  });

  it('are not permitted for other origins, at other endpoints, or after the client is deleted', async () => {
    const { client } = await registerClient(below, publicClient);
    await registerClient(below, { redirectUris: ['https://confidential.example/cb'] });
    const allowed = async (path: string, from: string) => {
      const answer = await fetch(`${below.baseUrl}${path}`, { method: 'POST', headers: { origin: from } });
      return answer.headers.get('access-control-allow-origin');
    };
    for (const other of [
      ...['https://evil.example', 'https://app.example.evil', 'http://app.example', 'null'],
      ...['https://confidential.example', 'http://[::1]:5173', 'https://app.example:8443'],
    ]) {
      assert.equal(await allowed('/oauth2/token', other), null, other);
    }
    for (const path of ['/v1/tokeninfo', '/oauth2/introspect', '/healthz', '/metrics', '/authorize']) {
      assert.equal(await allowed(path, origin), null);
    }
    assert.equal(await allowed('/oauth2/token', origin), origin);
    await below.service.store.clients.delete(client.id);
    await below.service.store.refreshRegistry();
    assert.equal(await allowed('/oauth2/token', origin), null);
  });

  it('have the CORS header on errors too, so that a script can read the error', async () => {
    await registerClient(server, publicClient);
    const answer = await fetch(`${server.baseUrl}/oauth2/token`, { method: 'POST', headers: { origin } });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('access-control-allow-origin'), origin);
  });
});

it('token info does not accept a client that has the name of a resource server', async () => {
  const twin = await registerClient(server, { clientName: 'demo resource server' });
  assert.equal(twin.client.clientId, 'demo-resource-server');
  const token = await server.issueToken();
  const answer = await server.post('/v1/tokeninfo', { access_token: token }, twin.credentials);
  assertError(answer, 401, 'invalid_client');
  assert.notEqual(twin.credentials, demoClient);
});
