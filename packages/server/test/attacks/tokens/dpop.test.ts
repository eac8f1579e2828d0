import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  codeVerifier,
  pkce,
  redirectUri,
} from '@watchword/server-testkit/clients/application';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import {
  type Answer,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { basic } from '@watchword/testkit';
import { DpopKey, type ProofParts } from '@watchword/testkit/dpop-key';
import { assertError } from '../../support/error-answers.ts';
import { persona, registerOpenidClient } from '../../support/openid-client.ts';

const [key, thief] = await Promise.all([DpopKey.create(), DpopKey.create()]);

/** RFC 9449 §11 names most of these attacks. */
describe('a token that is bound to a key', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    // Behind a proxy: the URL that clients see has another origin, and a prefix.
    server = await startServer({ authenticator: anyPerson, baseUrl: 'https://id.example/auth' });
    app = await registerOpenidClient(server, { confidential: false, tokenEndpointAuthMethod: 'none' });
  });
  after(() => server[Symbol.asyncDispose]());

  const publicUrl = (path: string) => `https://id.example/auth${path}`;
  const proof = (parts: Partial<ProofParts> = {}, by = key) =>
    by.proof({ method: 'POST', url: publicUrl('/oauth2/token'), ...parts });

  async function send(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(`${server.baseUrl}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  }
  const tokenRequest = (form: Record<string, string>, dpop?: string | readonly string[], headers = {}) =>
    send('/oauth2/token', {
      method: 'POST',
      body: new URLSearchParams({ client_id: app.client.clientId, ...form }),
      headers: [
        ...Object.entries(headers as Record<string, string>),
        ...[dpop ?? []].flat().map((value) => ['dpop', value] as [string, string]),
      ],
    });
  const codeForm = async () => {
    const request = { scope: 'openid profile', ...pkce };
    const { parameters } = await app.authorize(request, { password: persona });
    const code = parameters.get('code') ?? assert.fail('no code');
    return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
  };
  const tokens = async () => (await tokenRequest(await codeForm(), await proof())).json;
  const userinfo = (authorization: string, dpop?: string) =>
    send('/oauth2/userinfo', { headers: { authorization, ...(dpop !== undefined && { dpop }) } });
  const use = (accessToken: string, parts: Partial<ProofParts> = {}, by = key) =>
    by.proof({ method: 'GET', url: publicUrl('/oauth2/userinfo'), accessToken, ...parts });

  it('DP-1: is answered as such, and useful with a proof for the public URL', async () => {
    const { token_type, access_token } = await tokens();
    assert.equal(token_type, 'DPoP');
    const answer = await userinfo(`DPoP ${access_token}`, await use(access_token));
    assert.deepEqual([answer.status, answer.json.preferred_username], [200, 'emma']);
    // RFC 3986 §6.2: other spellings of the same URL.
    for (const url of [
      'HTTPS://ID.example:443/auth/oauth2/userinfo',
      publicUrl('/oauth2/%75serinfo?x=1#y'),
    ]) {
      const spelled = await use(access_token, { claims: { htu: url } });
      assert.equal((await userinfo(`DPoP ${access_token}`, spelled)).status, 200, url);
    }
  });

  it('DP-2: is of no use to a thief, by any scheme and with any proof that a thief can have', async () => {
    const { access_token } = await tokens();
    const seen = await use(access_token);
    assert.equal((await userinfo(`DPoP ${access_token}`, seen)).status, 200);
    const dpop = `DPoP ${access_token}`;
    const attempts: readonly (readonly [string, string, string, string | undefined])[] = [
      ['as a bearer token', 'invalid_token', `Bearer ${access_token}`, undefined],
      [
        'as a bearer token with a proof',
        'invalid_token',
        `Bearer ${access_token}`,
        await use(access_token, {}, thief),
      ],
      ['without a proof', 'invalid_dpop_proof', dpop, undefined],
      ['with a proof that was used', 'invalid_dpop_proof', dpop, seen],
      ['with another key', 'invalid_dpop_proof', dpop, await use(access_token, {}, thief)],
      ['with the proof of another token', 'invalid_dpop_proof', dpop, await use('another')],
      ['with the proof of a token request', 'invalid_dpop_proof', dpop, await proof()],
      [
        'with a proof for another method',
        'invalid_dpop_proof',
        dpop,
        await use(access_token, { method: 'POST' }),
      ],
      [
        'with a proof for another host',
        'invalid_dpop_proof',
        dpop,
        await use(access_token, { url: 'https://api.example/oauth2/userinfo' }),
      ],
      [
        'with a proof for the address behind the proxy',
        'invalid_dpop_proof',
        dpop,
        await use(access_token, { url: `${server.baseUrl}/oauth2/userinfo` }),
      ],
      ['with an old proof', 'use_dpop_nonce', dpop, await use(access_token, { claims: { iat: 1 } })],
      [
        'with a proof of tomorrow',
        'use_dpop_nonce',
        dpop,
        await use(access_token, { claims: { iat: Date.now() / 1000 + 86_400 } }),
      ],
      ['with a nonce of its own', 'use_dpop_nonce', dpop, await use(access_token, { nonce: 'made-up' })],
    ];
    for (const [what, error, authorization, header] of attempts) {
      const answer = await userinfo(authorization, header);
      assert.deepEqual([answer.status, answer.json.error], [401, error], what);
      const challenge = answer.headers.get('www-authenticate') ?? '';
      assert.match(challenge, /DPoP realm="watchword", algs="ES256 /, what);
      assert.match(challenge, new RegExp(`error="${error}"`), what);
      assert.equal(answer.headers.has('dpop-nonce'), error === 'use_dpop_nonce', what);
    }
    assert.equal((await userinfo(dpop, await use(access_token))).status, 200);
  });

  it('DP-3: comes only with a proof that is a proof', async () => {
    const form = await codeForm();
    const secretKey = { ...key.jwk, d: 'x'.repeat(43) };
    const [header, payload] = (await proof()).split('.');
    const none = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk: key.jwk })).toString(
      'base64url',
    );
    const hmac = Buffer.from(
      JSON.stringify({ typ: 'dpop+jwt', alg: 'HS256', jwk: { kty: 'oct', k: 'c2VjcmV0' } }),
    ).toString('base64url');
    const wrong: Readonly<Record<string, string | readonly string[]>> = {
      'an empty header': '',
      'no JWT': 'x',
      'no signature': `${header}.${payload}.`,
      'the algorithm none': `${none}.${payload}.`,
      'the algorithm none with a signature': `${none}.${payload}.AAAA`,
      'a shared secret': `${hmac}.${payload}.AAAA`,
      'a private key in the header': await proof({ header: { jwk: secretKey } }),
      'the key of somebody else': await proof({ header: { jwk: thief.jwk } }),
      'no key': await proof({ header: { jwk: undefined } }),
      'another type': await proof({ header: { typ: 'JWT' } }),
      'no identifier': await proof({ claims: { jti: undefined } }),
      'a long identifier': await proof({ claims: { jti: 'x'.repeat(300) } }),
      'no time': await proof({ claims: { iat: undefined } }),
      'another address': await proof({ url: publicUrl('/oauth2/introspect') }),
      'another method': await proof({ method: 'GET' }),
      '12,000 characters': await proof({ claims: { x: 'x'.repeat(9000) } }),
      'two proofs': [await proof(), await proof()],
    };
    for (const [what, dpop] of Object.entries(wrong)) {
      const answer = await tokenRequest(form, dpop);
      assertError(answer, 400, 'invalid_dpop_proof');
      assert.equal(answer.json.access_token, undefined, what);
    }
    const long = await proof({ claims: { x: 'x'.repeat(5000) } });
    assert.equal((await tokenRequest(form, long)).json.token_type, 'DPoP');
  });

  it('DP-4: is not issued twice for one proof', async () => {
    const [one, other] = [await codeForm(), await codeForm()];
    const dpop = await proof();
    const answers = await Promise.all([tokenRequest(one, dpop), tokenRequest(other, dpop)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
    const refused = answers.find(({ status }) => status === 400) ?? assert.fail();
    assertError(refused, 400, 'invalid_dpop_proof');
  });

  it('DP-5: of a public client is refreshed by its own key alone', async () => {
    const { refresh_token } = await tokens();
    const form = { grant_type: 'refresh_token', refresh_token };
    for (const dpop of [undefined, await proof({}, thief)]) {
      assertError(await tokenRequest(form, dpop), 400, 'invalid_grant');
    }
    const { json } = await tokenRequest(form, await proof());
    assert.equal(json.token_type, 'DPoP');
    const about = await send('/oauth2/introspect', {
      method: 'POST',
      headers: { authorization: basic(demoResourceServer) },
      body: new URLSearchParams({ token: json.access_token }),
    });
    assert.deepEqual([about.json.token_type, about.json.cnf], ['DPoP', { jkt: key.jkt }]);
  });

  it('DP-6: is not in the log, and neither is a proof or a nonce', async () => {
    const dpop = await proof({ nonce: 'a-nonce-of-this-test' });
    assertError(await tokenRequest(await codeForm(), dpop), 400, 'use_dpop_nonce');
    const wrong = await proof({ url: 'https://other.example/' });
    assertError(await tokenRequest(await codeForm(), wrong), 400, 'invalid_dpop_proof');
    for (const secret of ['a-nonce-of-this-test', ...dpop.split('.').slice(1), ...wrong.split('.').slice(1)])
      assert.ok(!server.log().includes(secret), secret);
  });
});
