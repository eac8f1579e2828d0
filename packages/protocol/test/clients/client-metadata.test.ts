import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readClientMetadata, selfRegistration } from '../../src/clients/registration/client-metadata.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';

const redirect_uris = ['https://app.example/cb'];
const read = (document: unknown) => readClientMetadata(document, ['RS256', 'ES256']);
const named = (client_name: unknown) => read({ redirect_uris, client_name }).fields.clientName;

describe('the metadata of a client that registers itself (RFC 7591)', () => {
  it('has the defaults of the RFC, and nothing that gives more than a login', () => {
    const metadata = read({ redirect_uris });
    assert.deepEqual(metadata.claimed, { claimedName: '', applicationType: 'web' });
    const { clientName, openidScopes, scopes, confidential, ...fields } = selfRegistration(metadata);
    assert.deepEqual(
      [clientName, openidScopes, scopes, confidential],
      ['app.example', ['profile'], [], true],
    );
    assert.equal(fields.tokenEndpointAuthMethod, 'client_secret_basic');
    for (const name of ['allowedClientCredentials', 'allowedImplicitGrant', 'skipConsent'] as const)
      assert.equal(fields[name], false, name);
    assert.deepEqual([fields.useRefreshTokens, fields.expireDuration], [false, 3600]);
  });

  it('has keys, by value or by URL, and says what is wrong with them', () => {
    const key = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43), kid: 'one' };
    const byKey = { redirect_uris, token_endpoint_auth_method: 'private_key_jwt' };
    const { fields } = read({
      ...byKey,
      jwks: { keys: [{ ...key, x5c: ['AA'] }] },
      token_endpoint_auth_signing_alg: 'EdDSA',
    });
    assert.deepEqual(
      [fields.tokenEndpointAuthMethod, fields.confidential, fields.jwks, fields.tokenEndpointAuthSigningAlg],
      ['private_key_jwt', true, { keys: [key] }, 'EdDSA'],
    );
    const ed25519 = { token_endpoint_auth_signing_alg: 'Ed25519', request_object_signing_alg: 'Ed25519' };
    const { fields: same } = read({ ...byKey, ...ed25519 });
    assert.deepEqual([same.tokenEndpointAuthSigningAlg, same.requestObjectSigningAlg], ['EdDSA', 'EdDSA']);
    assert.throws(
      () =>
        read({
          ...byKey,
          jwks: { keys: [{ ...key, d: 'secret' }] },
          jwks_uri: 7,
          token_endpoint_auth_signing_alg: 'HS256',
        }),
      (error) => {
        assert.ok(error instanceof OAuthError);
        const names = error.violations?.map((violation) => violation.split(':')[0]);
        assert.deepEqual(names, ['jwks', 'jwks_uri', 'token_endpoint_auth_signing_alg']);
        assert.doesNotMatch(String(error.violations), /secret/);
        return true;
      },
    );
  });

  it('takes what the server can do, and leaves out what it cannot or does not know', () => {
    const { fields, claimed } = read({
      redirect_uris: ['http://127.0.0.1/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
      response_types: ['code', 'id_token'],
      scope: 'openid email notes:read',
      contacts: ['no address', 'ada@app.example', 'bob@app.example'],
      post_logout_redirect_uris: ['https://app.example/bye'],
      id_token_signed_response_alg: 'ES256',
      require_pushed_authorization_requests: true,
      require_signed_request_object: true,
      request_object_signing_alg: 'none',
      request_uris: ['https://app.example/object#GkurKxf5T0Y-mnPFCHqWOMiZi4VS138cQO_V7PZHAdM'],
      client_name: null,
      jwks_uri: 'https://app.example/keys',
      backchannel_logout_uri: 'http://169.254.169.254/',
      logo_uri: 'https://bank.example/logo.png',
      policy_uri: 'http://app.example/privacy',
      tos_uri: 'https://app.example@bank.example/terms',
      default_max_age: 60,
      require_auth_time: true,
      initiate_login_uri: 'https://app.example/login',
      skipConsent: true,
      trusted: true,
      clientId: 'shop',
    });
    assert.deepEqual(fields, {
      clientName: '127.0.0.1, com.example.app',
      contactName: '127.0.0.1, com.example.app',
      contactEmail: 'ada@app.example',
      redirectUris: ['http://127.0.0.1/cb', 'com.example.app:/cb'],
      postLogoutRedirectUris: ['https://app.example/bye'],
      openidScopes: [],
      thumbNailUrl: '',
      policyUri: '',
      tosUri: '',
      subjectType: 'public',
      sectorIdentifierUri: '',
      allowedHybrid: false,
      confidential: false,
      tokenEndpointAuthMethod: 'none',
      jwks: { keys: [] },
      jwksUri: 'https://app.example/keys',
      tokenEndpointAuthSigningAlg: '',
      useRefreshTokens: true,
      dpopBoundAccessTokens: false,
      tlsClientCertificateBoundAccessTokens: false,
      idTokenSignedResponseAlg: 'ES256',
      userinfoSignedResponseAlg: '',
      authorizationSignedResponseAlg: '',
      requirePushedAuthorizationRequests: true,
      requireSignedRequestObject: true,
      requestObjectSigningAlg: 'none',
      requestUris: ['https://app.example/object#GkurKxf5T0Y-mnPFCHqWOMiZi4VS138cQO_V7PZHAdM'],
    });
    assert.deepEqual(claimed, { claimedName: '', applicationType: 'native' });
  });

  it('has pictures and pages of the hosts of its redirect URIs alone, because those of others could deceive', () => {
    const pages = (uri: string) => {
      const { fields } = read({ redirect_uris, logo_uri: uri, policy_uri: uri, tos_uri: uri });
      return [fields.thumbNailUrl, fields.policyUri, fields.tosUri];
    };
    const own = 'https://app.example/x';
    assert.deepEqual(pages(own), [own, own, own]);
    for (const uri of [
      'http://app.example/x',
      'https://app.example:8443/x',
      'https://bank.example/x',
      'https://app.example@bank.example/x',
      'https://me@app.example/x',
      'https://sub.app.example/x',
      'javascript:alert(1)',
      `https://app.example/${'x'.repeat(2000)}`,
    ])
      assert.deepEqual(pages(uri), ['', '', ''], uri.slice(0, 60));
    const local = read({ redirect_uris: ['http://127.0.0.1/cb'], policy_uri: 'https://127.0.0.1/x' });
    assert.equal(local.fields.policyUri, '');
  });

  it('gets the hybrid flow if it asks for it, has a secret, and every redirect URI is of the web', () => {
    const asks = (more: object) => read({ redirect_uris, ...more }).fields.allowedHybrid;
    for (const type of ['code id_token', 'token code', 'token id_token code'])
      assert.equal(asks({ response_types: [type] }), true, type);
    assert.equal(asks({ response_types: ['code', 'code id_token'] }), true);
    assert.equal(asks({ response_types: ['code', 'id_token token'] }), false);
    const both = { response_types: ['code', 'code id_token'] };
    assert.equal(asks({ ...both, token_endpoint_auth_method: 'none' }), false);
    assert.equal(asks({ ...both, redirect_uris: [...redirect_uris, 'http://localhost/cb'] }), false);
    assert.throws(
      () => asks({ response_types: ['code id_token'], token_endpoint_auth_method: 'none' }),
      refused('invalid_client_metadata', /^response_types: must have code/),
    );
  });

  it('names every host to which it leads, so that none lends its name to another one', () => {
    const leadsTo = (...hosts: readonly string[]) => hosts.map((host) => `https://${host}/cb`);
    const { fields } = read({
      client_name: 'Bank',
      redirect_uris: leadsTo('bank.example', 'evil.example', 'bank.example'),
    });
    assert.equal(fields.clientName, 'Bank (bank.example, evil.example)');
    const many = leadsTo('a.example', 'b.example', 'c.example', 'd.example', 'evil.example');
    assert.throws(() => read({ client_name: 'Bank', redirect_uris: many }), {
      kind: 'invalid_redirect_uri',
      message: /more than 4 hosts/,
    });
  });

  it('names the host beside every name, which cannot imitate one', () => {
    assert.equal(named('Claude Code'), 'Claude Code (app.example)');
    for (const [claimed, shown] of [
      ['Bank (bank.example)', 'app.example'],
      ['bank.example', 'app.example'],
      ['\u202eknab\u200b', 'knab (app.example)'],
      ['(a) [b] <c>', 'a b c (app.example)'],
      ['\u2800\u3164', 'app.example'],
      ['x'.repeat(5000), `${'x'.repeat(40)}… (app.example)`],
      ['\ud800', 'app.example'],
    ] as const) {
      assert.equal(named(claimed), shown, JSON.stringify(claimed.slice(0, 20)));
    }
  });

  const nested = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`);
  const long = `https://app.example/${'x'.repeat(2000)}`;
  const uris: readonly (readonly [string, unknown])[] = [
    ['none', undefined],
    ['null', null],
    ['an empty list', []],
    ['a text', 'https://app.example/cb'],
    ['a number in the list', [1]],
    ['an empty text', ['']],
    ['http', ['http://app.example/cb']],
    ['a fragment', ['https://app.example/cb#x']],
    ['a script', ['javascript:alert(1)']],
    ['a user', ['https://bank.example@app.example/cb']],
    ['a text that turns its direction', ['https://app.example/\u202ecb']],
    ['a long one', [long]],
    ['a hundred and one', Array.from({ length: 101 }, (_, index) => `https://app.example/${index}`)],
    ['nested lists', nested],
    ['an object', { 0: 'https://app.example/cb', length: 1 }],
  ];
  for (const [what, value] of uris) {
    it(`is refused as invalid_redirect_uri with ${what} as redirect_uris`, () => {
      assert.throws(
        () => read({ redirect_uris: value }),
        refused('invalid_redirect_uri', /^redirect_uris: /),
      );
    });
  }

  const wrong: readonly (readonly [string, unknown])[] = [
    ['token_endpoint_auth_method', 'client_secret_jwt'],
    ['token_endpoint_auth_method', ''],
    ['token_endpoint_auth_method', ['none']],
    ['grant_types', 'authorization_code'],
    ['grant_types', []],
    ['grant_types', ['client_credentials']],
    ['grant_types', ['authorization_code', 1]],
    ['grant_types', Array(101).fill('authorization_code')],
    ['response_types', ['token']],
    ['response_types', {}],
    ['client_name', 7],
    ['client_name', ['x']],
    ['subject_type', 'secret'],
    ['sector_identifier_uri', ['https://app.example/']],
    ['logo_uri', 7],
    ['policy_uri', {}],
    ['scope', ['openid']],
    ['application_type', 'desktop'],
    ['contacts', 'ada@app.example'],
    ['contacts', [null]],
    ['post_logout_redirect_uris', ['http://app.example/']],
    ['post_logout_redirect_uris', true],
    ['id_token_signed_response_alg', 'none'],
    ['id_token_signed_response_alg', 'HS256'],
    ['userinfo_signed_response_alg', nested],
  ];
  for (const [name, value] of wrong) {
    it(`is refused with ${name} ${JSON.stringify(value).slice(0, 40)}`, () => {
      const expected = refused('invalid_client_metadata', new RegExp(`^${name}: `));
      assert.throws(() => read({ redirect_uris, [name]: value }), expected);
    });
  }

  it('is refused if it is no object, and names every wrong member at once', () => {
    for (const document of [undefined, null, [], 'x', 7, nested]) {
      assert.throws(() => read(document), refused('invalid_client_metadata', /^body: is not a JSON object/));
    }
    const both = { redirect_uris, scope: 1, client_name: 2 };
    assert.throws(
      () => read(both),
      (error: OAuthError) => error.violations?.length === 2,
    );
  });
});

function refused(kind: OAuthError['kind'], first: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof OAuthError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.violations?.[0] ?? '', first);
    return true;
  };
}
