import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maxCodeFailures, type OAuthError } from '@watchword/protocol';
import {
  buildClient,
  buildPublicClient,
  clientRequest,
  type FlowDependencies,
  flowDependencies,
  introspectRequest,
  protocolDependencies,
  type TestForm,
} from '@watchword/testkit';
import { DpopKey } from '@watchword/testkit/dpop-key';
import { introspectionEndpoint } from '../../src/endpoints/introspection.ts';
import { type TokenResponse, tokenEndpoint } from '../../src/endpoints/token.ts';
import { tokenInfoEndpoint } from '../../src/endpoints/token-info.ts';
import type { GrantType } from '../../src/grants/grant-type.ts';
import { proofNonces } from '../../src/keys/proof-nonces.ts';
import { profileChecks } from '../../src/rules/profile-checks.ts';
import { dpopProofs } from '../../src/tokens/dpop-proofs.ts';

const url = 'https://as.example/oauth2/token';
const [key, otherKey] = await Promise.all([DpopKey.create(), DpopKey.create()]);

const openSealer = () => assert.fail('no proof has a nonce');

type Deps = ReturnType<typeof protocolDependencies> | FlowDependencies;

/** A token request with this header `DPoP`, or none. @param credentials empty for a public client */
function ask(
  deps: Deps,
  form: TestForm,
  dpop: string | undefined,
  credentials = 'test-client:client-secret',
): Promise<TokenResponse> {
  const request = clientRequest(form, credentials === '' ? undefined : credentials);
  const headers = { ...request.headers, ...(dpop !== undefined && { dpop }) };
  return tokenEndpoint(deps)({ ...request, headers });
}

/** At the time of the clock of the server. */
function proof(deps: Deps, by = key, claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return by.proof({ method: 'POST', url, claims: { iat: deps.clock.now() / 1000, ...claims } });
}

const redirect_uri = 'https://app.example/cb';
const machine = { grant_type: 'client_credentials' };

async function refusalOf(answer: Promise<unknown>): Promise<OAuthError> {
  const error: unknown = await answer.then(
    () => assert.fail('the request was not refused'),
    (reason) => reason,
  );
  return error as OAuthError;
}

async function ruleOf(answer: Promise<unknown>): Promise<readonly string[]> {
  const { kind, rule } = await refusalOf(answer);
  return [kind, rule];
}

describe('a token request with a DPoP proof', () => {
  it('gets a token that is bound to the key, and says so to all who may ask about it', async () => {
    const deps = protocolDependencies();
    const answer = await ask(deps, machine, await proof(deps));
    assert.equal(answer.token_type, 'DPoP');
    const cnf = { jkt: key.jkt };
    const asApi = 'test-api:resource-server-secret';
    const info = await tokenInfoEndpoint(deps)(clientRequest({}, asApi), () => answer.access_token);
    assert.deepEqual(info.cnf, cnf);
    for (const caller of [asApi, 'test-client:client-secret']) {
      const about = await introspectionEndpoint(deps)(introspectRequest(answer.access_token, caller));
      assert.ok(about.active);
      assert.deepEqual([about.token_type, about.cnf], ['DPoP', cnf]);
    }
    assert.equal((await ask(deps, machine, undefined)).token_type, 'bearer');
  });

  it('uses its proof up, also when two come at once', async () => {
    const deps = protocolDependencies();
    const first = await proof(deps);
    await ask(deps, machine, first);
    assert.deepEqual(await ruleOf(ask(deps, machine, first)), ['invalid_dpop_proof', 'unused_proof']);
    const second = await proof(deps);
    const both = await Promise.allSettled([ask(deps, machine, second), ask(deps, machine, second)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    // The same identifier of another key is another proof.
    await ask(deps, machine, await proof(deps, key, { jti: 'same' }));
    await ask(deps, machine, await proof(deps, otherKey, { jti: 'same' }));
  });

  it('must be of a time near that of the server, or have a nonce of it', async () => {
    const deps = protocolDependencies();
    const now = deps.clock.now() / 1000;
    for (const iat of [now - 60, now + 60, now + 0.0004])
      await ask(deps, machine, await proof(deps, key, { iat }));
    for (const iat of [now - 61, now + 61, 1e300, -1e300]) {
      const refused = await refusalOf(ask(deps, machine, await proof(deps, key, { iat })));
      assert.deepEqual([refused.kind, refused.rule], ['use_dpop_nonce', 'proof_time']);
      const nonce = refused.dpopNonce ?? assert.fail('no nonce');
      await ask(deps, machine, await proof(deps, key, { iat, nonce }));
    }
  });

  it('can use a nonce for five minutes, and gets the next one in time', async () => {
    const deps = protocolDependencies();
    const { dpopNonce: nonce } = await refusalOf(ask(deps, machine, await proof(deps, key, { nonce: 'x' })));
    const used = async () => {
      const request = clientRequest(machine, 'test-client:client-secret');
      const headers = { ...request.headers, dpop: await proof(deps, key, { nonce }) };
      const proven = { ...request, headers };
      await tokenEndpoint(deps)(proven);
      return proven.nextNonce;
    };
    assert.equal(await used(), undefined);
    deps.clock.advance(151_000);
    const next = await used();
    assert.ok(next !== undefined && next !== nonce);
    deps.clock.advance(150_000);
    const late = await refusalOf(used());
    assert.deepEqual([late.kind, late.rule], ['use_dpop_nonce', 'proof_nonce']);
    assert.notEqual(late.dpopNonce, undefined);
  });

  it('needs a nonce always where the server is set so', async () => {
    const base = await flowDependencies();
    const nonces = proofNonces({ clock: base.clock, openSealer: async () => base.dependencies.sealer });
    const deps = {
      ...base,
      dpopProofs: dpopProofs({ ...base.store, clock: base.clock, proofNonces: nonces, requiresNonce: true }),
    };
    const { kind, dpopNonce: nonce } = await refusalOf(ask(deps, machine, await proof(deps)));
    assert.equal(kind, 'use_dpop_nonce');
    await ask(deps, machine, await proof(deps, key, { nonce }));
    assert.equal((await ask(deps, machine, undefined)).token_type, 'bearer');
  });

  it('has an algorithm of the profile of the server', async () => {
    const deps = protocolDependencies();
    const proofs = { ...deps.store, clock: deps.clock, proofNonces: proofNonces({ ...deps, openSealer }) };
    const strict = { ...deps, dpopProofs: dpopProofs({ ...proofs, profile: profileChecks('fapi-2.0') }) };
    for (const algorithm of ['RS256', 'ES384']) {
      const other = await DpopKey.create(algorithm);
      assert.equal((await ask(deps, machine, await proof(deps, other))).token_type, 'DPoP');
      const refused = ask(strict, machine, await proof(deps, other));
      assert.deepEqual(await ruleOf(refused), ['invalid_dpop_proof', 'valid_proof'], algorithm);
    }
    for (const algorithm of ['ES256', 'PS256', 'EdDSA'])
      await ask(strict, machine, await proof(deps, await DpopKey.create(algorithm)));
  });

  it('is demanded of a client with dpopBoundAccessTokens, for every grant', async () => {
    const deps = protocolDependencies();
    deps.store.putClient({
      ...deps.client,
      redirectUris: [redirect_uri],
      useRefreshTokens: true,
      dpopBoundAccessTokens: true,
    });
    for (const { type } of deps.grantTypes) {
      const unproven = ask(deps, { grant_type: type, code: 'x', refresh_token: 'x' }, undefined);
      assert.deepEqual(await ruleOf(unproven), ['invalid_dpop_proof', 'required_proof'], type);
    }
    assert.equal((await ask(deps, machine, await proof(deps))).token_type, 'DPoP');
  });

  it('is never answered with a bearer token, also by a grant that forgets the key', async () => {
    const deps = protocolDependencies();
    const forgetful: GrantType = {
      type: 'urn:example:forgetful',
      takesScope: false,
      isAllowedFor: () => true,
      read() {},
      check: (_, client) => client,
      issue: ({ client, scopes }) => deps.issueAccessToken({ client, scopes, confirmation: undefined }),
    };
    const all = { ...deps, grantTypes: [forgetful] };
    const answer = ask(all, { grant_type: forgetful.type }, await proof(deps));
    await assert.rejects(answer, /issued a token that is not bound to the key/);
  });
});

describe('a token request with a certificate', () => {
  const bound = () => {
    const deps = protocolDependencies();
    deps.store.putClient({ ...deps.client, tlsClientCertificateBoundAccessTokens: true });
    return deps;
  };
  const askWith = (deps: Deps, clientCertificate: string | undefined, dpop?: string) => {
    const request = clientRequest(machine, 'test-client:client-secret');
    const headers = { ...request.headers, ...(dpop !== undefined && { dpop }) };
    return tokenEndpoint(deps)({ ...request, headers, clientCertificate });
  };
  const cnfOf = async (deps: Deps, { access_token }: TokenResponse) =>
    (await tokenInfoEndpoint(deps)(clientRequest({}, 'test-api:resource-server-secret'), () => access_token))
      .cnf;

  it('gets a token that is bound to it, if the client asks for such', async () => {
    const deps = bound();
    const answer = await askWith(deps, 'thumbprint');
    assert.equal(answer.token_type, 'bearer');
    assert.deepEqual(await cnfOf(deps, answer), { 'x5t#S256': 'thumbprint' });
    assert.deepEqual(await ruleOf(askWith(deps, undefined)), ['invalid_request', 'required_certificate']);
    const plain = protocolDependencies();
    assert.equal(await cnfOf(plain, await askWith(plain, 'thumbprint')), undefined);
  });

  it('and with a proof gets one that is bound to both', async () => {
    const deps = bound();
    const answer = await askWith(deps, 'thumbprint', await proof(deps));
    assert.equal(answer.token_type, 'DPoP');
    assert.deepEqual(await cnfOf(deps, answer), { 'x5t#S256': 'thumbprint', jkt: key.jkt });
  });
});

const codeForm = (code: string | null) => ({
  grant_type: 'authorization_code',
  code: code ?? '',
  redirect_uri,
});
const refreshForm = (token: string | undefined) => ({
  grant_type: 'refresh_token',
  refresh_token: token ?? '',
});

// RFC 7636 Appendix B.
const pkce = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

async function publicFlow() {
  const deps = await flowDependencies();
  const client = deps.store.putClient(
    buildPublicClient({
      id: 11,
      clientId: 'spa',
      trusted: true,
      redirectUris: [redirect_uri],
      useRefreshTokens: true,
    }),
  );
  const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  return {
    deps,
    code: async (parameters: TestForm = {}) =>
      (await deps.grant({ client_id: client.clientId, ...pkce, ...parameters })).get('code'),
    redeem: async (code: string | null, by: DpopKey | undefined) =>
      ask(
        deps,
        { ...codeForm(code), code_verifier, client_id: client.clientId },
        by && (await proof(deps, by)),
        '',
      ),
    refresh: async (token: string | undefined, by: DpopKey | undefined) =>
      ask(deps, { ...refreshForm(token), client_id: client.clientId }, by && (await proof(deps, by)), ''),
  };
}

describe('a refresh token', () => {
  it('of a public client is bound to the key of the first token request, and every rotation keeps it', async () => {
    const { code, redeem, refresh } = await publicFlow();
    const first = await redeem(await code(), key);
    assert.equal(first.token_type, 'DPoP');
    const second = await refresh(first.refresh_token, key);
    for (const thief of [undefined, otherKey]) {
      const stolen = refresh(second.refresh_token, thief);
      assert.deepEqual(await ruleOf(stolen), ['invalid_grant', 'bound_key']);
      // Nor can a used one end the access of the user.
      assert.deepEqual(await ruleOf(refresh(first.refresh_token, thief)), ['invalid_grant', 'bound_key']);
    }
    assert.equal((await refresh(second.refresh_token, key)).token_type, 'DPoP');
  });

  it('of a public client is bound as soon as the client proves a key', async () => {
    const { deps, code, redeem, refresh } = await publicFlow();
    const unbound = await redeem(await code(), undefined);
    assert.equal(unbound.token_type, 'bearer');
    const bound = await refresh(unbound.refresh_token, key);
    assert.deepEqual(await ruleOf(refresh(bound.refresh_token, undefined)), ['invalid_grant', 'bound_key']);
    // It stays bound when the client becomes confidential, which can then ask about it.
    const { secret } = deps.client;
    deps.store.putClient({ ...buildClient({ id: 11, clientId: 'spa', secret, useRefreshTokens: true }) });
    const about = introspectRequest(bound.refresh_token ?? '', 'spa:client-secret');
    const answer = await introspectionEndpoint(deps)(about);
    assert.deepEqual(answer.active && answer.cnf, { jkt: key.jkt });
  });

  it('gets its answer again only with the same key', async () => {
    const { code, redeem, refresh } = await publicFlow();
    const unbound = await redeem(await code(), undefined);
    const answer = await refresh(unbound.refresh_token, key);
    for (const other of [undefined, otherKey]) {
      const again = refresh(unbound.refresh_token, other);
      assert.deepEqual(await ruleOf(again), ['invalid_grant', 'bound_key']);
    }
    assert.deepEqual(await refresh(unbound.refresh_token, key), answer);
  });

  it('of a confidential client is bound to its authentication alone, so that it can change its key', async () => {
    const deps = await flowDependencies();
    const asWebApp = 'web-app:client-secret';
    const code = (await deps.grant()).get('code');
    const first = await ask(deps, codeForm(code), await proof(deps), asWebApp);
    const second = await ask(deps, refreshForm(first.refresh_token), await proof(deps, otherKey), asWebApp);
    assert.deepEqual([first.token_type, second.token_type], ['DPoP', 'DPoP']);
    const third = await ask(deps, refreshForm(second.refresh_token), undefined, asWebApp);
    assert.equal(third.token_type, 'bearer');
  });

  it('is given nothing for a copy of a request with its proof', async () => {
    const { deps, code, redeem, refresh } = await publicFlow();
    const first = await redeem(await code(), key);
    const dpop = await proof(deps);
    const form = { ...refreshForm(first.refresh_token), client_id: 'spa' };
    await ask(deps, form, dpop, '');
    assert.deepEqual(await ruleOf(ask(deps, form, dpop, '')), ['invalid_dpop_proof', 'unused_proof']);
    assert.ok(await refresh(first.refresh_token, key));
  });
});

describe('a code', () => {
  it('that is bound by dpop_jkt is redeemed with a proof of that key alone', async () => {
    const { deps, code, redeem } = await publicFlow();
    for (const wrong of [undefined, otherKey]) {
      const bound = await code({ dpop_jkt: key.jkt });
      assert.deepEqual(await ruleOf(redeem(bound, wrong)), ['invalid_grant', 'bound_key']);
      assert.equal((await redeem(bound, key)).token_type, 'DPoP');
    }
    for (const dpop_jkt of ['x', `${key.jkt}x`, 'ü'.repeat(43)]) {
      const refused = await deps.grant({ client_id: 'spa', ...pkce, dpop_jkt });
      assert.equal(refused.get('error'), 'invalid_request');
    }
  });

  it('that is stolen is of no use after some wrong keys', async () => {
    const { code, redeem } = await publicFlow();
    const bound = await code({ dpop_jkt: key.jkt });
    for (let attempt = 0; attempt < maxCodeFailures; attempt += 1) await ruleOf(redeem(bound, otherKey));
    assert.equal((await refusalOf(redeem(bound, key))).kind, 'invalid_grant');
  });

  it('is all that a client with dpopBoundAccessTokens gets at the authorization endpoint', async () => {
    const deps = await flowDependencies();
    const own = { allowedHybrid: true, confidential: true, redirectUris: [redirect_uri] };
    const asked = async (response_type: string, dpopBoundAccessTokens: boolean) => {
      deps.store.putClient({ ...deps.webApp, ...own, dpopBoundAccessTokens });
      return (await deps.grant({ response_type, scope: 'openid', nonce: 'n' })).get('error');
    };
    for (const type of ['code token', 'code id_token token']) {
      assert.deepEqual([await asked(type, false), await asked(type, true)], [null, 'unauthorized_client']);
    }
    assert.equal(await asked('code id_token', true), null);
  });
});
