import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dpopAlgorithms } from '@watchword/proofs';
import type { TokenVerifierOptions } from '../src/index.ts';
import { readClaims } from '../src/jwt/claims.ts';
import { composeVerifier } from '../src/verifier/create-token-verifier.ts';
import { accept, answerWith, emma } from './support/authorization-server.ts';
import { FakeSystem } from './support/fake-system.ts';
import { byList, eventually, jwtServer, waysToVerify } from './support/jwt-server.ts';
import { startVerifier } from './support/verifier.ts';

const unknown = { name: 'TokenRejected', status: 401, reason: 'unknown' };
const resource = 'https://api.example/orders';

/** `aud` of a token, and whether an API with these URIs accepts it. */
const audiences: readonly (readonly [TokenVerifierOptions['resource'], unknown, boolean])[] = [
  [resource, resource, true],
  [resource, ['https://id.example', resource], true],
  // From before it had a URI.
  [resource, 'orders-api', true],
  [resource, 'https://api.example/invoices', false],
  [resource, `${resource}/`, false],
  [resource, 'https://api.example', false],
  [resource, ['https://api.example/invoices', 'https://id.example'], false],
  [[resource, 'https://api.example/v2'], 'https://api.example/v2', true],
  ['https://api.example', 'https://api.example/', true],
  ['https://api.example/', 'https://api.example', true],
  ['https://api.example?a=1', 'https://api.example/?a=1', true],
  ['https://api.example', 'https://api.example.evil', false],
];

describe('the option resource', () => {
  for (const [way, take] of Object.entries(waysToVerify)) {
    it(`decides which JWTs are for this API, verified ${way}`, async () => {
      await using test = await jwtServer();
      const options = { ...test.server.options, ...take(test), issuer: test.issuer };
      for (const [uris, aud, isAccepted] of audiences) {
        const verifier = composeVerifier({ ...options, resource: uris }, test.system);
        const what = `${JSON.stringify(aud)} at ${JSON.stringify(uris)}`;
        // A lookup first, and then by the list where there is one.
        for (const _ of way === byList ? [1, 2, 3] : [1]) {
          const verified = verifier.verify(await test.issue({ aud }));
          if (isAccepted) assert.ok((await verified).scopes.includes('read'), what);
          else await assert.rejects(verified, unknown, what);
        }
        verifier.close();
      }
    });
  }

  it('decides which scopes of a JWT for several APIs are of this one, whatever scopes it has got since', async () => {
    const [first, second] = [resource, 'https://api.example/invoices'];
    for (const [own, targeted_scope, scopes] of [
      [first, `3\\\\${first} 4\\\\${second} 3\\read 4\\write`, ['read']],
      [second, `3\\\\${first} 4\\\\${second} 3\\read 4\\write`, ['write']],
      [first, `\\\\${first} 4\\\\${second} openid read 4\\write`, ['openid', 'read']],
      [second, `\\\\${first} 4\\\\${second} openid read 4\\write`, ['write']],
      [second, `4\\\\${second} openid 4\\write`, ['write']],
      // The key, before it had a URI.
      [first, `3\\\\orders-api 4\\\\${second} 3\\read 4\\write`, ['read']],
      [first, '3\\ 3\\read', []],
      [first, `34\\\\${first} 3\\read 4\\write`, []],
    ] as const) {
      const claims = { iss: 'https://id.example', sub: 'emma', client_id: 'app', jti: '1', iat: 1, exp: 2 };
      const read = readClaims({ ...claims, scope: 'openid read write', targeted_scope }, [own, 'orders-api']);
      assert.deepEqual(read?.info.scopes, scopes, targeted_scope);
    }
  });

  it('decides which opaque tokens are for this API, by what token info says', async () => {
    for (const [uris, aud, isAccepted] of audiences) {
      const answer = answerWith(200, { ...emma, aud: [aud].flat() });
      await using test = await startVerifier(answer, { resource: uris, issuer: 'https://id.example' });
      const verified = test.verifier.verify('wwa_opaque');
      if (isAccepted) assert.deepEqual((await verified).aud, [aud].flat());
      else await assert.rejects(verified, unknown, `${JSON.stringify(aud)} at ${JSON.stringify(uris)}`);
    }
  });

  it('that another URI has than the token is in a warning for operators, once a second', async () => {
    const aud = ['https://api.example/Orders'];
    await using test = await startVerifier(answerWith(200, { ...emma, aud }), {
      resource,
      issuer: 'https://id.example',
    });
    for (const token of ['wwa_1', 'wwa_2']) await assert.rejects(test.verifier.verify(token), unknown);
    await eventually(() => test.system.warnings.length > 0);
    assert.deepEqual(test.system.warnings, [
      `A token of this API is for "${aud[0]}", and not for ${resource}: compare the option resource with the resources of its resource server`,
    ]);
  });

  it('decides nothing where token info does not say what a token is for', async () => {
    await using test = await startVerifier(accept(), { resource, issuer: 'https://id.example' });
    assert.equal((await test.verifier.verify('wwa_opaque')).principal.name, 'emma');
  });

  it('is not needed: then token info decides', async () => {
    await using test = await startVerifier(answerWith(200, { ...emma, aud: ['https://other.example'] }));
    assert.equal((await test.verifier.verify('wwa_opaque')).principal.name, 'emma');
  });

  it('gives each URI the address of its metadata, which stands between host and path (RFC 9728)', () => {
    const { resources } = composeVerifier(
      {
        url: 'https://id.example/auth/',
        key: 'orders-api',
        secret: 'its-secret',
        resource: [
          'https://api.example',
          'https://api.example/',
          'https://api.example/a/b/?c=1',
          'http://[::1]:3000/?c',
        ],
        resourceMetadata: { resource_name: 'Orders', scopes_supported: ['read'] },
      },
      new FakeSystem(),
    );
    const path = '/.well-known/oauth-protected-resource';
    assert.deepEqual(
      resources.map(({ metadataUrl }) => metadataUrl),
      [
        `https://api.example${path}`,
        `https://api.example${path}`,
        `https://api.example${path}/a/b/?c=1`,
        `http://[::1]:3000${path}?c`,
      ],
    );
    assert.deepEqual(resources[0]?.metadata, {
      resource: 'https://api.example',
      authorization_servers: ['https://id.example/auth'],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: dpopAlgorithms,
      resource_name: 'Orders',
      scopes_supported: ['read'],
    });
  });
});
