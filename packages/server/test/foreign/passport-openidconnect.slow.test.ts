import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import type { ResourceOwnerAnswers } from '@watchword/testkit/follow-flow';
import { startSite } from '@watchword/testkit/site';
import { UserAgent } from '@watchword/testkit/user-agent';
import express from 'express';
import session from 'express-session';
import { Passport } from 'passport';
import { type Profile, Strategy } from 'passport-openidconnect';
import { persona, registerOpenidClient } from '../support/openid-client.ts';
import { visit } from '../support/visit.ts';

// In `npm test`, express-openid-connect.test.ts and auth-js.test.ts have another client of this kind.
describe('passport-openidconnect, an independent library for websites', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ authenticator: anyPerson });
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('logs a user in with nonce, max_age and the claims of userinfo', async () => {
    await using site = await website(server);
    const { json } = await site.logIn();
    assert.match(json.id, /^[\w-]{43}$/);
    assert.equal(json.displayName, 'Emma de Vries');
    assert.deepEqual(json.emails, [{ value: 'emma@example.org' }]);
  });

  it('knows a user of a client with claims in ID tokens without a request for userinfo', async () => {
    for (const claimsInIdToken of [true, false]) {
      await using site = await website(server, { skipUserProfile: true, claimsInIdToken });
      const { json } = await site.logIn();
      assert.equal(json.displayName, claimsInIdToken ? 'Emma de Vries' : undefined);
    }
  });

  it('reads a denial of the user', async () => {
    await using site = await website(server);
    assert.equal((await site.logIn({ decision: 'deny' })).status, 401);
  });

  it('reads an error of the token endpoint', async () => {
    await using site = await website(server, { secret: 'wrong' });
    assert.match((await site.logIn()).json.error, /^TokenError/);
  });

  it('rejects a response to the request of another browser', async () => {
    await using site = await website(server);
    const { location = '' } = await new UserAgent().get(`${site.url}/login`);
    assert.equal((await visit(new UserAgent(), location, { password: persona })).status, 403);
  });
});

/** A website with logins by a server, which answers a login with the profile of the user. */
async function website(
  server: TestServer,
  {
    claimsInIdToken = false,
    secret,
    skipUserProfile = false,
  }: {
    readonly claimsInIdToken?: boolean;
    readonly secret?: string;
    readonly skipUserProfile?: boolean;
  } = {},
) {
  await using started = new AsyncDisposableStack();
  const app = express().set('env', 'test');
  const site = started.use(await startSite(app));
  const callbackURL = `${site.url}/callback`;
  const { client, credentials } = await registerOpenidClient(server, {
    redirectUris: [callbackURL],
    claimsInIdToken,
  });
  const passport = new Passport();
  passport.use(
    new Strategy(
      {
        issuer: server.service.baseUrl,
        authorizationURL: `${server.baseUrl}/oauth2/authorize`,
        tokenURL: `${server.baseUrl}/oauth2/token`,
        userInfoURL: `${server.baseUrl}/oauth2/userinfo`,
        clientID: client.clientId,
        clientSecret: secret ?? credentials?.split(':')[1] ?? '',
        callbackURL,
        scope: ['profile', 'email'],
        nonce: true,
        maxAge: 60,
        skipUserProfile,
      },
      (_issuer, profile, verified) => verified(null, profile),
    ),
  );
  app.use(session({ secret: 'of-this-test', resave: false, saveUninitialized: false }));
  app.get('/login', passport.authenticate('openidconnect', { session: false }));
  app.get(
    '/callback',
    passport.authenticate('openidconnect', { session: false }),
    (request: express.Request & { user?: Profile }, response: express.Response) =>
      void response.json(request.user),
  );
  const onError: express.ErrorRequestHandler = (error, _request, response, _next) =>
    void response.status(500).json({ error: String(error) });
  app.use(onError);
  const running = started.move();
  return {
    url: site.url,
    /** A user logs in. Resolves with what the website answers. */
    async logIn(answers: ResourceOwnerAnswers = {}) {
      const { status, html } = await visit(new UserAgent(), `${site.url}/login`, {
        password: persona,
        ...answers,
      });
      return { status, json: html.startsWith('{') ? JSON.parse(html) : undefined };
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
