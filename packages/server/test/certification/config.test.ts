import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServer } from '@watchword/server-testkit/servers/server';

describe('Config OP certification', () => {
  it('oidcc-discovery-endpoint-verification: the metadata is complete and true, and all endpoints have the scheme of the issuer', async () => {
    const baseUrl = 'https://as.example/auth';
    await using server = await startServer({ baseUrl, allowInsecureAuthentication: 'true' });
    const at = (url: string) => url.replace('https://as.example', `http://127.0.0.1:${server.port}`);
    const response = await fetch(at(`${baseUrl}/.well-known/openid-configuration`));
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    const metadata = await response.json();
    assert.equal(metadata.issuer, baseUrl);
    for (const type of ['code', 'id_token', 'id_token token']) {
      assert.ok(metadata.response_types_supported.includes(type), type);
    }
    assert.deepEqual(metadata.subject_types_supported, ['public', 'pairwise']);
    for (const list of ['id_token_signing_alg_values_supported', 'userinfo_signing_alg_values_supported']) {
      assert.ok(metadata[list].includes('RS256'), list);
      assert.ok(!metadata[list].includes('none'), list);
    }
    for (const grantType of ['authorization_code', 'implicit']) {
      assert.ok(metadata.grant_types_supported.includes(grantType), grantType);
    }
    assert.ok(metadata.scopes_supported.includes('openid'));
    assert.ok(metadata.scopes_supported.every((scope: string) => /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope)));
    assert.ok(metadata.claims_supported.length > 0);
    assert.deepEqual(metadata.code_challenge_methods_supported, ['S256']);
    assert.deepEqual(
      metadata.ui_locales_supported.map((tag: string) => new Intl.Locale(tag).toString()),
      metadata.ui_locales_supported,
    );
    assert.deepEqual(
      [
        metadata.claims_parameter_supported,
        metadata.request_parameter_supported,
        metadata.request_uri_parameter_supported,
      ],
      [true, true, false],
    );
    for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri']) {
      assert.ok(metadata[name] !== undefined, name);
    }
    for (const [name, value] of Object.entries(metadata)) {
      if (/_endpoint$|_uri$/.test(name)) assert.ok(String(value).startsWith(`${baseUrl}/`), name);
    }
    const { keys } = await (await fetch(at(metadata.jwks_uri))).json();
    assert.ok(keys.length > 0);
    assert.equal(new Set(keys.map(({ kid }: { kid: string }) => kid)).size, keys.length);
    for (const key of keys) {
      assert.deepEqual([key.use, key.d, key.p], ['sig', undefined, undefined]);
    }
  });
});
