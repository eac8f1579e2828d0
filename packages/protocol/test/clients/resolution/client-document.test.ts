import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rounds } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { readClientDocument } from '../../../src/clients/resolution/client-document.ts';
import { documentUrlProblem } from '../../../src/clients/resolution/document-url.ts';
import { profileChecks } from '../../../src/rules/profile-checks.ts';

const url = 'https://tool.example/client.json';

describe('the URL of the document of a client', () => {
  it('is https with a path, with a port or a query if the client wants them', () => {
    for (const good of [
      url,
      'https://tool.example/',
      'https://tool.example:8443/a/b.json?version=2&x=%2E%2E/',
      'https://[2001:db8::1]/c',
      'https://tool.example/.well-known/...',
      `https://tool.example/${'x'.repeat(979)}`,
    ]) {
      assert.equal(documentUrlProblem(good), undefined, good);
    }
  });

  for (const [bad, problem] of [
    ['https://tool.example', /no path/],
    ['https://tool.example?x', /no path/],
    ['https://tool.example/a#b', /fragment/],
    ['https://tool.example/#', /fragment/],
    ['https://user@tool.example/a', /user name/],
    ['https://@tool.example/a', /user name/],
    ['https://user:secret@tool.example/a', /user name/],
    ['https://tool.example/a/../b', /dots/],
    ['https://tool.example/./b', /dots/],
    ['https://tool.example/a/%2e%2E', /dots/],
    ['https://tool.example/a/.%2e/b', /dots/],
    ['https://tool.example./a', /host/],
    ['https:///a', /host/],
    ['https://tool.example:port/a', /host/],
    ['https://tool.example:99999/a', /host/],
    ['https://tool%2eexample/a', /host/],
    ['https://tööl.example/a', /character/],
    ['https://tool.example/\u202Ea', /character/],
    ['https://tool.example\\@evil.example/a', /character/],
    ['https://tool.example/a b', /character/],
    [`https://tool.example/${'x'.repeat(980)}`, /longer than 1000/],
  ] as const) {
    it(`is not ${JSON.stringify(bad.slice(0, 60))}`, () => {
      assert.match(documentUrlProblem(bad) ?? 'nothing', problem);
    });
  }

  it('is read as the same host by every parser: what is accepted means what its text says', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const candidate = `https://${text}`;
        if (documentUrlProblem(candidate) !== undefined) return;
        const [, authority] = /^https:\/\/([^/?]*)/.exec(candidate) ?? [];
        assert.equal(new URL(candidate).host, new URL(`https://${authority}/`).host);
      }),
      { numRuns: rounds(200, 10_000) },
    );
  });
});

const byKey = { token_endpoint_auth_method: 'private_key_jwt' };
const key = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43), kid: 'one' };
const jwks = { keys: [key] };
const jwks_uri = 'https://tool.example/jwks.json';

describe('the document of a client', () => {
  const good = { client_id: url, client_name: 'Tool', redirect_uris: ['http://127.0.0.1/cb'] };
  const read = (members: object) => readClientDocument({ ...good, ...members }, url);

  it('gives its name with its host, its redirect URIs, and refresh tokens if its grant types have them', () => {
    assert.deepEqual(read({}), {
      name: 'Tool (tool.example)',
      redirectUris: ['http://127.0.0.1/cb'],
      useRefreshTokens: false,
      keys: undefined,
      dpopBoundAccessTokens: false,
      requirePushedAuthorizationRequests: false,
      requireSignedRequestObject: false,
    });
    const read2 = read({
      grant_types: ['authorization_code', 'refresh_token', 'urn:example:other'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      logo_uri: 'https://tool.example/logo.png',
      jwks: { keys: [] },
      scope: 'admin',
      unknown: { deep: [[[]]] },
    });
    assert.deepEqual(read2, {
      name: 'Tool (tool.example)',
      redirectUris: ['http://127.0.0.1/cb'],
      useRefreshTokens: true,
      keys: undefined,
      dpopBoundAccessTokens: false,
      requirePushedAuthorizationRequests: false,
      requireSignedRequestObject: false,
    });
  });

  it('gives keys, by value or by URL, of a client that authenticates with them', () => {
    const keysOf = (members: object) => (read({ ...byKey, ...members }) as { keys: unknown }).keys;
    assert.deepEqual(keysOf({ jwks: { keys: [{ ...key, x5c: ['AA'] }] } }), { jwks, jwksUri: '' });
    assert.deepEqual(keysOf({ jwks_uri }), { jwks: { keys: [] }, jwksUri: jwks_uri });
  });

  it('says that its requests are pushed, or signed by its keys', () => {
    const asked = { require_pushed_authorization_requests: true, require_signed_request_object: true };
    const found = read({ ...byKey, jwks, ...asked });
    assert.ok('requireSignedRequestObject' in found);
    assert.ok(found.requireSignedRequestObject && found.requirePushedAuthorizationRequests);
  });

  it('keeps the redirect URIs that the profile of the server permits, and needs one of them', () => {
    const mcp = profileChecks('mcp');
    const scheme = 'com.example.tool:/cb';
    const uris = { ...good, redirect_uris: [scheme, 'http://127.0.0.1/cb'] };
    const strict = readClientDocument(uris, url, mcp);
    assert.ok('redirectUris' in strict);
    assert.deepEqual(strict.redirectUris, ['http://127.0.0.1/cb']);
    assert.ok('problem' in readClientDocument({ ...good, redirect_uris: [scheme] }, url, mcp));
    assert.ok('redirectUris' in readClientDocument({ ...good, redirect_uris: [scheme] }, url));
  });

  it('keeps the redirect URIs that could be registered, each once', () => {
    const uris = [
      'cursor://x/cb',
      'https://vscode.dev/redirect',
      'http://tool.example/cb',
      'https://vscode.dev/redirect',
    ];
    const document = read({ redirect_uris: uris });
    assert.ok('name' in document);
    assert.deepEqual(document.redirectUris, ['https://vscode.dev/redirect']);
  });

  for (const [what, members, problem] of [
    ['without its client_id', { client_id: undefined }, /no client_id/],
    [
      'with the client_id of another',
      { client_id: 'https://other.example/client.json' },
      /another client_id/,
    ],
    [
      'with its client_id in another spelling',
      { client_id: 'https://TOOL.example/client.json' },
      /another client_id/,
    ],
    ['with a client_id that is no text', { client_id: [url] }, /another client_id/],
    ['with a client_secret', { client_secret: 'x' }, /secret/],
    ['with client_secret_expires_at', { client_secret_expires_at: 0 }, /secret/],
    ['with any other secret', { registrationSecret: null }, /secret/],
    ['with client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }, /auth_method/],
    ['with client_secret_jwt', { token_endpoint_auth_method: 'client_secret_jwt' }, /auth_method/],
    ['with private_key_jwt and no keys', { ...byKey }, /without one of jwks/],
    ['with keys by value and by URL', { ...byKey, jwks, jwks_uri }, /or with both/],
    ['with a jwks_uri that is not https', { ...byKey, jwks_uri: 'http://tool.example/' }, /jwks_uri that/],
    ['with signed requests and no keys', { require_signed_request_object: true }, /without private_key_jwt/],
    ['with a private key', { ...byKey, jwks: { keys: [{ ...key, d: 'AA' }] } }, /jwks that .* private/],
    ['with keys that are no set', { ...byKey, jwks: [key] }, /jwks that is not/],
    ['with a method that is no text', { token_endpoint_auth_method: ['none'] }, /auth_method/],
    ['for other grant types alone', { grant_types: ['client_credentials'] }, /grant_types without/],
    ['for other response types alone', { response_types: ['token'] }, /response_types without/],
    ['with grant types that are no list', { grant_types: 'authorization_code' }, /not a list/],
    ['without redirect URIs', { redirect_uris: undefined }, /no redirect_uris/],
    ['with a redirect URI that is no text', { redirect_uris: [7] }, /no redirect_uris/],
    ['with no redirect URI that can be used', { redirect_uris: ['javascript:alert(1)'] }, /can be used/],
    ['with an empty list of redirect URIs', { redirect_uris: [] }, /can be used/],
    [
      'with more redirect URIs than anybody needs',
      { redirect_uris: Array.from({ length: 101 }, (_, index) => `https://tool.example/${index}`) },
      /more than 100/,
    ],
  ] as const) {
    it(`is refused ${what}`, () => {
      const document = read(members);
      assert.match('problem' in document ? document.problem : 'it is accepted', problem);
    });
  }

  it('is a JSON object', () => {
    for (const value of [null, [], 'x', 7]) {
      assert.deepEqual(readClientDocument(value, url), { problem: 'is not a JSON object' });
    }
  });
});

describe('the name that a document claims', () => {
  const named = (client_name: unknown) => {
    const document = readClientDocument(
      { client_id: url, client_name, redirect_uris: ['https://a.example/'] },
      url,
    );
    return 'name' in document ? document.name : document.problem;
  };

  for (const [claimed, shown] of [
    ['Claude Code', 'Claude Code (tool.example)'],
    [' Claude \u200B\n Code ', 'Claude Code (tool.example)'],
    ['\u202Eedoc\u2066 x', 'edoc x (tool.example)'],
    ['Bank (bank.example)', 'tool.example'],
    ['Claude (claude ai)', 'Claude claude ai (tool.example)'],
    ['Claude \u2768claude ai\u2769', 'Claude claude ai (tool.example)'],
    ['claude.ai', 'tool.example'],
    ['claude｡ai', 'tool.example'],
    ['https://claude', 'tool.example'],
    ['admin@bank', 'tool.example'],
    ['x'.repeat(41), `${'x'.repeat(40)}… (tool.example)`],
    ['\u2800\u3164', 'tool.example'],
    ['', 'tool.example'],
    [undefined, 'tool.example'],
    [{ en: 'Tool' }, 'tool.example'],
  ] as const) {
    it(`${JSON.stringify(claimed)} is shown as ${shown}`, () => {
      assert.equal(named(claimed), shown);
    });
  }

  it('never hides its host, whatever it is', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const shown = named(text);
        assert.ok(shown === 'tool.example' || shown.endsWith(' (tool.example)'), shown);
        assert.ok(shown.length <= 2 * 40 + 20, shown);
        assert.doesNotMatch(shown.slice(0, -'(tool.example)'.length), /[()\p{Cc}\p{Cf}]/u);
      }),
      { numRuns: rounds(300, 10_000) },
    );
  });
});
