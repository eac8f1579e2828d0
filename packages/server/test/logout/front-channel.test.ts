import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import {
  type LogoutClient,
  logIn,
  postLogoutRedirectUri,
  registerLogoutClient,
} from '../support/logout-client.ts';

const settings = { 'signing.algorithms': 'ES256' };
const frontchannelLogoutUri = 'https://app.example/out;x?a=1';

/** Two clients of one session, of which the second asks for the logout. */
async function twoClients(server: TestServer): Promise<readonly [LogoutClient, LogoutClient]> {
  const first = await logIn(server, await registerLogoutClient(server, { frontchannelLogoutUri }));
  const other = await registerLogoutClient(server, {
    frontchannelLogoutUri: 'https://app.example/frontchannel',
  });
  return [first, await logIn(server, other, first.agent)];
}

describe('front-channel logout', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ ...settings, 'logout.frontchannel': 'true' });
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('loads the address of each client of the session in a frame, with iss and sid, and then goes to the client', async () => {
    const { json } = await server.get('/.well-known/openid-configuration');
    assert.equal(json.frontchannel_logout_supported, true);
    assert.equal(json.frontchannel_logout_session_supported, true);
    const [first, second] = await twoClients(server);
    const page = await second.logout({
      id_token_hint: second.idToken,
      post_logout_redirect_uri: postLogoutRedirectUri,
      state: 's',
    });
    assert.equal(page.location, undefined);
    const iss = encodeURIComponent(server.service.baseUrl);
    const frames = [...page.html.matchAll(/<iframe [^>]*src="([^"]*)"/g)].map(([, src = '']) =>
      src.replaceAll('&amp;', '&'),
    );
    assert.deepEqual(frames.toSorted(), [
      `https://app.example/frontchannel?iss=${iss}&sid=${second.claims.sid}`,
      `${frontchannelLogoutUri}&iss=${iss}&sid=${first.claims.sid}`,
    ]);
    assert.equal(page.headers.get('refresh'), `3; url=${postLogoutRedirectUri}?state=s`);
    assert.ok(!(await second.isLoggedIn()));
  });

  it('permits these frames in the content security policy, and no others', async () => {
    const [, second] = await twoClients(server);
    const page = await second.logout({ id_token_hint: second.idToken });
    const policy = page.headers.get('content-security-policy') ?? '';
    const [, sources = ''] = /frame-src ([^;]*)/.exec(policy) ?? [];
    // A path with a semicolon cannot stand in a policy.
    assert.deepEqual(sources.split(' ').toSorted(), [
      'https://app.example',
      'https://app.example/frontchannel',
    ]);
    assert.equal(page.headers.get('refresh'), null);
  });

  it('is off unless the operator switches it on', async () => {
    await using off = await startServer(settings);
    const { json } = await off.get('/.well-known/openid-configuration');
    assert.equal(json.frontchannel_logout_supported, false);
    const [, second] = await twoClients(off);
    const page = await second.logout({ id_token_hint: second.idToken });
    assert.doesNotMatch(page.html, /<iframe/);
    assert.doesNotMatch(page.headers.get('content-security-policy') ?? '', /frame-src/);
  });

  it('has no frames before the user has confirmed the logout, and none for another session', async () => {
    const [first] = await twoClients(server);
    const alone = await logIn(server, await registerLogoutClient(server));
    assert.doesNotMatch((await alone.logout({ id_token_hint: alone.idToken })).html, /<iframe/);
    const question = await first.logout();
    assert.doesNotMatch(question.html, /<iframe/);
    assert.equal((await first.agent.submit(question, {})).html.match(/<iframe /g)?.length, 2);
  });
});
