import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProtocolErrorName } from '@watchword/protocol';
import {
  buildResourceServer,
  clientRequest,
  type FlowDependencies,
  flowDependencies,
  presentedRequest,
  protocolError,
} from '@watchword/testkit';
import { DpopKey, type ProofParts } from '@watchword/testkit/dpop-key';
import { tokenEndpoint } from '../../src/endpoints/token.ts';
import { userinfoEndpoint } from '../../src/endpoints/userinfo.ts';
import type { ErrorRuleName } from '../../src/model/errors/rules/error-rules.ts';

async function tokenOf(deps: FlowDependencies, scope: string): Promise<string> {
  const code = (await deps.grant({ scope })).get('code') ?? '';
  const redirect_uri = 'https://app.example/cb';
  return (await deps.token({ grant_type: 'authorization_code', code, redirect_uri })).access_token;
}

const ask = (deps: FlowDependencies, formToken: string | undefined, authorization?: string) =>
  userinfoEndpoint(deps)({ ...presentedRequest(authorization), formToken });

describe('the userinfo endpoint', () => {
  it('takes the token in the header or in the form, and in one place alone', async () => {
    const deps = await flowDependencies();
    const token = await tokenOf(deps, 'openid read');
    const authorization = `Bearer ${token}`;
    const answer = await ask(deps, undefined, authorization);
    assert.ok('claims' in answer);
    assert.deepEqual(Object.keys(answer.claims), ['sub']);
    assert.deepEqual(await ask(deps, token), answer);
    const twice = ask(deps, token, authorization);
    await assert.rejects(twice, { kind: 'invalid_request', rule: 'one_bearer_token' });
  });

  it('answers a token with openid only, and names that scope', async () => {
    const deps = await flowDependencies();
    for (const token of [
      await tokenOf(deps, 'read'),
      await deps.issue(),
      await deps.issue(deps.webApp, ['openid']),
    ]) {
      const refused = { kind: 'insufficient_scope', scope: 'openid' };
      await assert.rejects(ask(deps, token), refused);
    }
  });

  it('refuses a JWT that was issued for the resource server alone, though that has no scope openid now', async () => {
    const deps = await flowDependencies();
    const jwt = buildResourceServer({ accessTokenFormat: 'jwt' });
    const scopes = [...jwt.scopes, 'openid'];
    deps.store.putClient({ ...deps.webApp, scopes });
    deps.store.putResourceServer({ ...jwt, scopes });
    const early = await tokenOf(deps, 'openid');
    deps.store.putResourceServer(jwt);
    deps.store.putClient(deps.webApp);
    await assert.rejects(ask(deps, early), protocolError('invalid_token'));
    const late = await ask(deps, await tokenOf(deps, 'openid'));
    assert.ok('claims' in late);
  });

  it('signs the claims for the client where that has asked for it', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, userinfoSignedResponseAlg: 'EdDSA' });
    const answer = await ask(deps, await tokenOf(deps, 'openid'));
    assert.ok('jwt' in answer);
    const claims = await deps.signer.verify(answer.jwt, { type: 'JWT', keys: 'published' });
    assert.deepEqual([claims?.iss, claims?.aud], [deps.issuer, deps.webApp.clientId]);
  });

  it('takes a token that is bound to a key after DPoP alone, with a new proof of that key for this token', async () => {
    const deps = await flowDependencies();
    const [key, other] = await Promise.all([DpopKey.create('EdDSA'), DpopKey.create()]);
    const url = 'https://as.example/oauth2/userinfo';
    const iat = deps.clock.now() / 1000;
    const tokenFor = async (dpop?: string) => {
      const form = { grant_type: 'authorization_code', redirect_uri: 'https://app.example/cb' };
      const code = (await deps.grant({ scope: 'openid' })).get('code') ?? '';
      const request = clientRequest({ ...form, code }, 'web-app:client-secret');
      const headers = { ...request.headers, ...(dpop !== undefined && { dpop }) };
      return (await tokenEndpoint(deps)({ ...request, headers })).access_token;
    };
    const tokenUrl = 'https://as.example/oauth2/token';
    const ofTokenRequest = await key.proof({ method: 'POST', url: tokenUrl, claims: { iat } });
    const [bound, unbound] = [await tokenFor(ofTokenRequest), await tokenFor()];
    const proof = (parts: Partial<ProofParts> = {}, by = key) =>
      by.proof({ url, accessToken: bound, claims: { iat }, ...parts });
    const used = (scheme: string, token: string, dpop?: string) =>
      userinfoEndpoint(deps)(presentedRequest(`${scheme} ${token}`, dpop === undefined ? {} : { dpop }));
    const good = await proof();
    assert.ok('claims' in (await used('dpop', bound, good)));
    const refusals: readonly (readonly [string, ProtocolErrorName, ErrorRuleName, () => Promise<unknown>])[] =
      [
        [
          'as a bearer token',
          'invalid_token',
          'bound_token',
          async () => used('Bearer', bound, await proof()),
        ],
        ['in the form', 'invalid_token', 'bound_token', async () => ask(deps, bound)],
        ['without a proof', 'invalid_token_proof', 'bound_token', async () => used('DPoP', bound)],
        ['with a used proof', 'invalid_token_proof', 'unused_proof', async () => used('DPoP', bound, good)],
        [
          'with another key',
          'invalid_token_proof',
          'bound_token',
          async () => used('DPoP', bound, await proof({}, other)),
        ],
        [
          'with the proof of another token',
          'invalid_token_proof',
          'valid_proof',
          async () => used('DPoP', bound, await proof({ accessToken: unbound })),
        ],
        [
          'with a proof for another address',
          'invalid_token_proof',
          'valid_proof',
          async () => used('DPoP', bound, await proof({ url: tokenUrl })),
        ],
        [
          'with the proof of a token request',
          'invalid_token_proof',
          'valid_proof',
          async () => used('DPoP', bound, await proof({ accessToken: '' })),
        ],
        [
          'with an old proof',
          'use_token_nonce',
          'proof_time',
          async () => used('DPoP', bound, await proof({ claims: { iat: 1 } })),
        ],
        [
          'unbound after DPoP',
          'invalid_token',
          'bound_token',
          async () => used('DPoP', unbound, await proof()),
        ],
        [
          'unknown after DPoP',
          'invalid_token',
          'valid_bearer_token',
          async () => used('DPoP', 'x', await proof()),
        ],
      ];
    for (const [what, kind, rule, answer] of refusals) await assert.rejects(answer(), { kind, rule }, what);
  });
});
