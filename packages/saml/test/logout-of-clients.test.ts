import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { startLogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import { testKey } from '@watchword/testkit/certificate';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { startIdentityProvider } from './support/identity-provider.ts';
import { atProvider, codeOf, comeBack, inline, introduce, startService } from './support/service.ts';

const signing = testKey('service');
const options = { signing: { key: signing.key, certificate: signing.certificate } };
const returnUri = 'https://app.example/bye';

/** A client whose user has logged in at the identity provider, and the receiver of its logout tokens. */
async function loggedIn() {
  const receiver = await startLogoutReceiver();
  const idp = await startIdentityProvider();
  const service = await startService(
    { identityProviders: [inline(idp)], ...options },
    { 'signing.algorithms': 'ES256', 'outbound.privateHosts': receiver.host },
  );
  await introduce(service, idp);
  const app = await registerApplication(service.server, {
    backchannelLogoutUri: receiver.url,
    postLogoutRedirectUris: [returnUri],
  });
  const agent = new UserAgent();
  const posted = await atProvider(await app.open({ scope: 'openid', nonce: 'n' }, agent));
  const { json, text } = await app.redeem(codeOf(await comeBack(service, agent, posted)));
  const idToken: string = json?.id_token ?? assert.fail(text);
  const response = Buffer.from(posted.SAMLResponse, 'base64').toString();
  const [, sessionIndex = ''] = /SessionIndex="([^"]+)"/.exec(response) ?? [];
  const { sid, sub } = claimsOf(idToken);
  return {
    ...{ agent, idp, idToken, sessionIndex, service },
    isLoggedIn: async () => (await agent.get(`${service.baseUrl}/account`)).html.includes('page-account'),
    /** The client gets a logout token for the session that its ID token names. */
    async assertTold() {
      const token = claimsOf(await receiver.next());
      assert.deepEqual([token.sid, token.sub], [sid, sub]);
    },
    async [Symbol.asyncDispose]() {
      for (const each of [service, idp, receiver]) await each[Symbol.asyncDispose]();
    },
  };
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** Where a redirect or a page leads that goes on by itself. */
function forward({ location, html }: Page): string {
  const [, link] = /id="forward" href="([^"]+)"/.exec(html) ?? [];
  return (location ?? link ?? assert.fail(html)).replaceAll('&amp;', '&');
}

describe('a logout at a client, of a user who logged in at an identity provider', () => {
  it('ends the session there too, returns to the client with its state, and sends a logout token', async () => {
    await using flow = await loggedIn();
    const { agent, idp, idToken, service } = flow;
    const query = new URLSearchParams({
      id_token_hint: idToken,
      post_logout_redirect_uri: returnUri,
      state: 'a b',
    });
    const there = forward(await agent.get(`${service.baseUrl}/oauth2/logout?${query}`));
    const answer = await fetch(there, { redirect: 'manual' });
    assert.equal(answer.status, 302, await answer.text());
    assert.match(idp.logouts[0] ?? '', new RegExp(`SessionIndex[^>]*>${flow.sessionIndex}<`));
    assert.equal(forward(await agent.get(answer.headers.get('location') ?? '')), `${returnUri}?state=a%20b`);
    assert.ok(!(await flow.isLoggedIn()));
    await flow.assertTold();
  });
});

describe('an answer to a logout request, which any site can forge', () => {
  it('ends no session, and leads to the question of whether to log out', async () => {
    await using flow = await loggedIn();
    const { agent, service } = flow;
    const page = await agent.get(`${service.baseUrl}/saml/logout?SAMLResponse=x`);
    assert.deepEqual([page.status, page.location], [200, undefined]);
    assert.doesNotMatch(page.text, /You are signed out/);
    assert.ok(await flow.isLoggedIn());
    await agent.submit(page, {});
    assert.ok(!(await flow.isLoggedIn()));
  });
});

describe('a single logout from the identity provider', () => {
  it('sends a logout token to the client', async () => {
    await using flow = await loggedIn();
    const request = flow.idp.logoutRequest(flow.sessionIndex);
    const { status } = await fetch(request, { redirect: 'manual' });
    assert.equal(status, 303, JSON.stringify(flow.service.refusedLogins()));
    assert.ok(!(await flow.isLoggedIn()));
    await flow.assertTold();
  });
});
