import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Application, isActive } from '@watchword/server-testkit/clients/application';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { logIn, persona, registerOpenidClient, userinfo, verified } from '../../support/openid-client.ts';

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('attacks on OpenID Connect', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer({ authenticator: anyPerson });
    app = await registerOpenidClient(server);
  });
  after(() => server[Symbol.asyncDispose]());

  it('an ID token is no access token: not at userinfo, token info, introspection and administration', async () => {
    const { tokens } = await logIn(server, app);
    const token = tokens.id_token;
    assert.equal((await userinfo(server, token)).status, 401);
    assert.ok(!(await isActive(server, token)));
    const asked = await server.post('/oauth2/introspect', { token }, demoResourceServer);
    assert.deepEqual(asked.json, { active: false });
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await server.get('/admin/resourceServer', headers)).status, 401);
  });

  it('an ID token or a forged JWT is no authorization code and no refresh token', async () => {
    const { tokens, claims } = await logIn(server, app);
    const [header = '', payload = ''] = tokens.id_token.split('.');
    const none = `${encoded({ alg: 'none' })}.${payload}.`;
    const forged = `${header}.${encoded({ ...claims, sub: 'another' })}.${tokens.id_token.split('.')[2]}`;
    for (const text of [tokens.id_token, none, forged]) {
      const redeemed = await app.redeem(text);
      assert.deepEqual([redeemed.status, redeemed.json.error], [400, 'invalid_grant']);
      const refreshed = await app.refresh(text);
      assert.deepEqual([refreshed.status, refreshed.json.error], [400, 'invalid_grant']);
    }
  });

  it('a JWT signed with the public key as a secret is no token', async () => {
    const { tokens } = await logIn(server, app);
    const { keys } = JSON.parse((await server.get('/oauth2/jwks')).text);
    const [, payload = ''] = tokens.id_token.split('.');
    const input = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid: keys[0].kid })}.${payload}`;
    for (const secret of [JSON.stringify(keys[0]), keys[0].n]) {
      const token = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
      assert.equal((await userinfo(server, token)).status, 401);
      assert.ok(!(await isActive(server, token)));
    }
  });

  it('userinfo returns nothing for a token of a grant without openid, also after a grant with it', async () => {
    await logIn(server, app);
    const { parameters } = await app.authorize({ scope: 'read' }, { password: persona });
    const { json } = await app.redeem(parameters.get('code') ?? '');
    const answer = await userinfo(server, json.access_token);
    assert.deepEqual([answer.status, answer.json.error], [403, 'insufficient_scope']);
    assert.ok(!answer.text.includes('emma'));
  });

  it('a client gets no claims beyond its registration, by scope or by the parameter claims', async () => {
    const limited = await registerOpenidClient(server, { openidScopes: [] });
    const claims = JSON.stringify({ userinfo: { email: null, name: null }, id_token: { email: null } });
    const { tokens, claims: issued } = await logIn(server, limited, { scope: 'openid', claims });
    assert.ok(!('email' in issued));
    assert.deepEqual(Object.keys((await userinfo(server, tokens.access_token)).json), ['sub']);
    const more = await logIn(server, limited, { scope: 'openid email groups' });
    assert.equal(more.tokens.scope, 'openid');
    assert.ok(!('email' in more.claims));
    assert.deepEqual(Object.keys((await userinfo(server, more.tokens.access_token)).json), ['sub']);
  });

  it('a nonce is bound to the code: the code of another request brings its own nonce', async () => {
    const { claims } = await logIn(server, app, { nonce: 'of-the-attacker' });
    assert.equal(claims.nonce, 'of-the-attacker');
    assert.equal((await logIn(server, app, { nonce: '' })).claims.nonce, undefined);
  });

  it('an ID token of one client is not for another: its audience is the client alone', async () => {
    const { tokens } = await logIn(server, app);
    const other = await registerOpenidClient(server);
    await assert.rejects(verified(server, tokens.id_token, other), /"aud" claim/);
  });

  it('a claim of the identity provider never replaces one of the protocol', async () => {
    const hostile = JSON.stringify({
      attributes: { sub: 'admin', iss: 'https://evil.example', email: 'e@x.example' },
    });
    const { parameters } = await app.authorize(
      { scope: 'openid email' },
      { password: hostile, username: 'mallory' },
    );
    const { json } = await app.redeem(parameters.get('code') ?? '');
    const { sub, iss } = await verified(server, json.id_token, app);
    assert.match(String(sub), /^[\w-]{43}$/);
    assert.equal(iss, server.service.baseUrl);
    assert.equal((await userinfo(server, json.access_token)).json.sub, sub);
  });
});
