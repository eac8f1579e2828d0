import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildResourceServer,
  type FlowDependencies,
  flowDependencies,
  protocolError,
} from '@watchword/testkit';
import { userinfoEndpoint } from '../../src/endpoints/userinfo.ts';
import type { BearerRequest } from '../../src/tokens/authenticate-bearer.ts';

async function tokenOf(deps: FlowDependencies, scope: string): Promise<string> {
  const code = (await deps.grant({ scope })).get('code') ?? '';
  const redirect_uri = 'https://app.example/cb';
  return (await deps.token({ grant_type: 'authorization_code', code, redirect_uri })).access_token;
}

const ask = (deps: FlowDependencies, request: Partial<BearerRequest>) =>
  userinfoEndpoint(deps)({
    authorization: undefined,
    hasTokenInQuery: false,
    source: '192.0.2.7',
    ...request,
  });

describe('the userinfo endpoint', () => {
  it('takes the token in the header or in the form, and in one place alone', async () => {
    const deps = await flowDependencies();
    const token = await tokenOf(deps, 'openid read');
    const authorization = `Bearer ${token}`;
    const answer = await ask(deps, { authorization });
    assert.ok('claims' in answer);
    assert.deepEqual(Object.keys(answer.claims), ['sub']);
    assert.deepEqual(await ask(deps, { formToken: token }), answer);
    const twice = ask(deps, { formToken: token, authorization });
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
      await assert.rejects(ask(deps, { formToken: token }), refused);
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
    await assert.rejects(ask(deps, { formToken: early }), protocolError('invalid_token'));
    const late = await ask(deps, { formToken: await tokenOf(deps, 'openid') });
    assert.ok('claims' in late);
  });

  it('signs the claims for the client where that has asked for it', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, userinfoSignedResponseAlg: 'EdDSA' });
    const answer = await ask(deps, { formToken: await tokenOf(deps, 'openid') });
    assert.ok('jwt' in answer);
    const claims = await deps.signer.verify(answer.jwt, { type: 'JWT', keys: 'published' });
    assert.deepEqual([claims?.iss, claims?.aud], [deps.issuer, deps.webApp.clientId]);
  });
});
