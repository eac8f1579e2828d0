import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';

const path = '/.well-known/openid-configuration';

describe('the metadata of the OpenID provider', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  it('names the endpoints of the server, and what is supported', async () => {
    const { status, headers, json } = await server.get(path);
    const base = server.service.baseUrl;
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(json.issuer, base);
    assert.equal(json.userinfo_endpoint, `${base}/oauth2/userinfo`);
    assert.equal(json.jwks_uri, `${base}/oauth2/jwks`);
    assert.deepEqual(json.response_types_supported, [
      'code',
      'token',
      'id_token',
      'id_token token',
      'code id_token',
      'code token',
      'code id_token token',
    ]);
    const modes = ['query', 'fragment', 'form_post'];
    assert.deepEqual(json.response_modes_supported, [...modes, 'jwt', ...modes.map((mode) => `${mode}.jwt`)]);
    assert.deepEqual(json.authorization_signing_alg_values_supported, ['RS256']);
    assert.deepEqual(json.subject_types_supported, ['public', 'pairwise']);
    assert.deepEqual(json.scopes_supported, [
      'openid',
      'profile',
      'email',
      'address',
      'phone',
      'offline_access',
      'groups',
    ]);
    assert.deepEqual(json.id_token_signing_alg_values_supported, ['RS256']);
    assert.deepEqual(json.claim_types_supported, ['normal']);
    for (const claim of ['sub', 'auth_time', 'acr', 'name', 'email_verified', 'address']) {
      assert.ok(json.claims_supported.includes(claim), claim);
    }
    assert.equal(new Set(json.claims_supported).size, json.claims_supported.length);
    assert.deepEqual(json.ui_locales_supported.toSorted(), ['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt']);
    assert.deepEqual(json.acr_values_supported, [
      'https://refeds.org/profile/sfa',
      'https://refeds.org/profile/mfa',
      'phr',
    ]);
    assert.equal(json.claims_parameter_supported, true);
  });

  it('says which request objects are taken, and that none is fetched, because the absence of that member means true', async () => {
    const { json } = await server.get(path);
    assert.equal(json.request_parameter_supported, true);
    assert.deepEqual(json.request_object_signing_alg_values_supported, [
      ...['RS256', 'ES256', 'EdDSA', 'PS256', 'Ed25519', 'none'],
    ]);
    assert.equal(json.request_uri_parameter_supported, false);
    assert.equal(json.require_request_uri_registration, undefined);
    assert.equal(json.pushed_authorization_request_endpoint, `${json.issuer}/oauth2/par`);
    assert.equal(json.require_pushed_authorization_requests, false);
    assert.equal(json.require_signed_request_object, false);
    assert.ok(!JSON.stringify(json.id_token_signing_alg_values_supported).includes('none'));
  });

  it('is the same document as that of the authorization server, for scripts of every origin', async () => {
    const { json, headers } = await server.get(path, { origin: 'https://any.example' });
    assert.deepEqual(json, (await server.get('/.well-known/oauth-authorization-server')).json);
    assert.equal(headers.get('access-control-allow-origin'), '*');
  });

  it('publishes its keys for scripts of every origin', async () => {
    const { status, headers } = await server.get('/oauth2/jwks', { origin: 'https://any.example' });
    assert.equal(status, 200);
    assert.deepEqual(
      [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')],
      ['*', null],
    );
  });

  it('is below a base URL with a path, and between its host and path', async () => {
    await using prefixed = await startServer({
      baseUrl: 'https://host.example/auth',
      allowInsecureAuthentication: 'true',
    });
    const origin = `http://127.0.0.1:${prefixed.port}`;
    for (const address of [`${origin}/auth${path}`, `${origin}${path}/auth`]) {
      const json = await (await fetch(address)).json();
      assert.deepEqual(
        [json.issuer, json.userinfo_endpoint],
        ['https://host.example/auth', 'https://host.example/auth/oauth2/userinfo'],
      );
    }
  });

  it('names the algorithms of the configuration, and the start warns if RS256 is none of them, which every OpenID provider must have', async () => {
    for (const [algorithms, warns] of [
      [['EdDSA', 'RS256'], false],
      [['ES256'], true],
    ] as const) {
      await using other = await startServer({ 'signing.algorithms': algorithms.join() });
      const { json } = await other.get(path);
      assert.deepEqual(json.id_token_signing_alg_values_supported, algorithms);
      assert.deepEqual(json.userinfo_signing_alg_values_supported, algorithms);
      const line = other
        .log()
        .split('\n')
        .find((each) => each.includes('lacks RS256'));
      assert.equal(line !== undefined, warns, algorithms.join());
      if (warns) assert.match(line ?? '', /"level":40,.*"algorithms":\["ES256"\]/);
    }
  });
});
