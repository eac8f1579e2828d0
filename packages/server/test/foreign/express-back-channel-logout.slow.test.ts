import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer } from '@watchword/server-testkit/servers/server';
import { freePort } from '@watchword/testkit/free-port';
import { startSite } from '@watchword/testkit/site';
import { UserAgent } from '@watchword/testkit/user-agent';
import express from 'express';
import openid from 'express-openid-connect';
import { MemoryStore } from 'express-session';
import { logIn, registerLogoutClient } from '../support/logout-client.ts';
import { persona, registerOpenidClient } from '../support/openid-client.ts';
import { visit } from '../support/visit.ts';

// In `npm test`, deliver-logout.test.ts has the claims of the token, and certification/back-channel-logout.test.ts its way.
describe('express-openid-connect, with back-channel logout', () => {
  let site: Awaited<ReturnType<typeof website>>;
  before(async () => {
    site = await website();
  });
  after(() => site?.[Symbol.asyncDispose]());

  it('accepts the logout token, and ends its session of the user who logged out at another application', async () => {
    const agent = new UserAgent();
    const answers = { username: 'emma', password: persona };
    assert.equal((await visit(agent, `${site.url}/profile`, answers)).text, 'hello');
    const other = await logIn(site.server, await registerLogoutClient(site.server), agent);
    const { promise: answered, resolve } = Promise.withResolvers<number>();
    site.onLogoutToken(resolve);
    await other.logout({ id_token_hint: other.idToken });
    assert.equal(await answered, 204);
    const page = await agent.get(`${site.url}/profile`);
    assert.match(page.location ?? '', /\/oauth2\/authorize\?/);
  });

  it('refuses an ID token as a logout token', async () => {
    const { idToken } = await logIn(
      site.server,
      await registerLogoutClient(site.server),
      undefined,
      {},
      {
        password: persona,
      },
    );
    const body = new URLSearchParams({ logout_token: idToken });
    assert.equal((await fetch(`${site.url}/backchannel-logout`, { method: 'POST', body })).status, 400);
  });
});

/** A website whose one page is for logged-in users. */
async function website() {
  await using started = new AsyncDisposableStack();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = started.use(
    await startServer({
      host: 'localhost',
      authenticator: anyPerson,
      'outbound.privateHosts': `localhost:${port}`,
    }),
  );
  const { client, credentials } = await registerOpenidClient(server, {
    redirectUris: [`${url}/callback`],
    backchannelLogoutUri: `${url}/backchannel-logout`,
  });
  let heard = (_status: number) => {};
  const app = express().set('env', 'test');
  app.use('/backchannel-logout', (_request, response, next) => {
    response.once('finish', () => heard(response.statusCode));
    next();
  });
  app.use(
    openid.auth({
      issuerBaseURL: server.service.baseUrl,
      baseURL: url,
      clientID: client.clientId,
      clientSecret: credentials?.split(':')[1] ?? '',
      secret: 'a-secret-of-this-test-with-32-octets',
      authorizationParams: { response_type: 'code', scope: 'openid' },
      backchannelLogout: { store: new MemoryStore() },
    }),
  );
  app.get('/profile', (_request, response) => void response.send('hello'));
  started.use(await startSite(app, undefined, port));
  const running = started.move();
  return {
    url,
    server,
    onLogoutToken(listener: (status: number) => void) {
      heard = listener;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
