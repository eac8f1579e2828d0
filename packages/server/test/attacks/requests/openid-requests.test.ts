import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { rsaKey } from '@watchword/testkit/rsa-key';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeJwt, SignJWT } from 'jose';

const openid = { scope: 'openid' };

describe('a request of OpenID Connect', () => {
  let server: TestServer;
  let app: Application;
  let other: Application;
  before(async () => {
    server = await startServer();
    [app, other] = await Promise.all([
      registerApplication(server, { skipConsent: true }),
      registerApplication(server, { clientName: 'Other', skipConsent: true }),
    ]);
  });
  after(() => server[Symbol.asyncDispose]());

  /** Logs in. Resolves with the ID token of the application. */
  async function idTokenOf(of: Application, agent: UserAgent, parameters = {}): Promise<string> {
    const { parameters: answered } = await of.authorize({ ...openid, ...parameters }, {}, agent);
    const { json } = await of.redeem(answered.get('code') ?? '');
    return json.id_token;
  }

  async function silently(id_token_hint: string, agent: UserAgent): Promise<string | null> {
    const { location = '' } = await app.open({ ...openid, id_token_hint, prompt: 'none' }, agent);
    return answeredBy(location).get('error');
  }

  it('OR-1: gets nothing for id_token_hint of another client', async () => {
    const agent = new UserAgent();
    const own = await idTokenOf(app, agent);
    assert.equal(await silently(own, agent), null);
    assert.equal(await silently(await idTokenOf(other, agent), agent), 'invalid_request');
  });

  it('OR-2: gets nothing for id_token_hint that the server did not sign, by any algorithm', async () => {
    const agent = new UserAgent();
    const own = await idTokenOf(app, agent);
    const claims = decodeJwt(own);
    const [header = '', payload = ''] = own.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const foreign = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .sign(rsaKey('somebody else', 2048));
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = `${encoded({ alg: 'none', typ: 'JWT', kid })}.${payload}.`;
    const jwks = (await server.get('/oauth2/jwks')).text;
    const start = `${encoded({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`;
    const hmac = `${start}.${createHmac('sha256', jwks).update(start).digest('base64url')}`;
    for (const hint of [foreign, none, hmac, `${header}.${payload}.`, 'x', own.slice(0, -4)]) {
      assert.equal(await silently(hint, agent), 'invalid_request', hint);
    }
  });

  it('OR-3: gets nothing for an access token as id_token_hint', async () => {
    const agent = new UserAgent();
    await idTokenOf(app, agent);
    const { access_token } = await app.obtainTokens();
    assert.equal(await silently(access_token, agent), 'invalid_request');
  });

  it('OR-4: never gets an answer about another user than the hint names', async () => {
    const [emma, noah] = [new UserAgent(), new UserAgent()];
    const hint = await idTokenOf(app, emma);
    await app.authorize(openid, { username: 'noah' }, noah);
    assert.equal(await silently(hint, noah), 'login_required');
    const login = await app.open({ ...openid, id_token_hint: hint }, noah);
    const { location = '' } = await noah.submit(login, { username: 'noah', password: 'x' });
    assert.equal(answeredBy(location).get('error'), 'login_required');
  });

  it('OR-5: gets an ID token with its own nonce and no other, once', async () => {
    const agent = new UserAgent();
    const ask = async (nonce: string) => {
      const { parameters } = await app.authorize({ ...openid, nonce, state: `state of ${nonce}` }, {}, agent);
      assert.equal(parameters.get('state'), `state of ${nonce}`);
      return parameters.get('code') ?? '';
    };
    const [first, second] = [await ask('nonce-1'), await ask('nonce-2')];
    const answers = await Promise.all([app.redeem(first), app.redeem(second)]);
    assert.deepEqual(
      answers.map(({ json }) => decodeJwt(json.id_token).nonce),
      ['nonce-1', 'nonce-2'],
    );
    assert.equal((await app.redeem(first)).json.error, 'invalid_grant');
    assert.ok(!('nonce' in decodeJwt(await idTokenOf(app, agent))));
  });

  it('OR-6: is answered with the one issuer of response, ID token and metadata, in every mode (RFC 9207)', async () => {
    const { json } = await server.get('/.well-known/oauth-authorization-server');
    for (const response_mode of ['query', 'fragment', 'form_post']) {
      const { parameters } = await app.authorize({ ...openid, response_mode });
      assert.deepEqual(parameters.getAll('iss'), [json.issuer]);
      const { id_token } = (await app.redeem(parameters.get('code') ?? '')).json;
      assert.equal(decodeJwt(id_token).iss, json.issuer);
    }
  });

  it('OR-7: gets no claims of a user by the parameter claims for which the client is not registered', async () => {
    const claims = JSON.stringify({ id_token: { email: { essential: true }, name: null } });
    const idToken = decodeJwt(await idTokenOf(app, new UserAgent(), { claims }));
    assert.deepEqual(
      Object.keys(idToken).filter((name) => ['email', 'name'].includes(name)),
      [],
    );
  });
});
