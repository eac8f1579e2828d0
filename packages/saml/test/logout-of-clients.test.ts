import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { type LogoutReceiver, startLogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import { testKey } from '@watchword/testkit/certificate';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { type IdentityProvider, startIdentityProvider } from './support/identity-provider.ts';
import {
  atProvider,
  codeOf,
  comeBack,
  inline,
  introduce,
  type Service,
  startService,
} from './support/service.ts';

const signing = testKey('service');
const options = { signing: { key: signing.key, certificate: signing.certificate } };
const returnUri = 'https://app.example/bye';

let receiver: LogoutReceiver;
let idp: IdentityProvider;
let service: Service;
/** A client at whose address the receiver gets logout tokens. */
let app: Application;
before(async () => {
  receiver = await startLogoutReceiver();
  idp = await startIdentityProvider();
  const started = await startService(
    { identityProviders: [inline(idp)], ...options },
    { 'signing.algorithms': 'ES256', 'outbound.privateHosts': receiver.host },
  );
  service = started;
  await introduce(service, idp);
  app = await registerApplication(started.server, {
    backchannelLogoutUri: receiver.url,
    postLogoutRedirectUris: [returnUri],
  });
});
after(async () => {
  for (const each of [service, idp, receiver]) await each[Symbol.asyncDispose]();
});

/** A user of the client who has logged in at the identity provider. */
async function loggedIn() {
  const agent = new UserAgent();
  const posted = await atProvider(await app.open({ scope: 'openid', nonce: 'n' }, agent));
  const { json, text } = await app.redeem(codeOf(await comeBack(service, agent, posted)));
  const idToken: string = json?.id_token ?? assert.fail(text);
  const response = Buffer.from(posted.SAMLResponse, 'base64').toString();
  const [, sessionIndex = ''] = /SessionIndex="([^"]+)"/.exec(response) ?? [];
  const { sid, sub } = claimsOf(idToken);
  return {
    ...{ agent, idToken, sessionIndex },
    isLoggedIn: async () => (await agent.get(`${service.baseUrl}/account`)).html.includes('page-account'),
    /** The client gets a logout token for the session that its ID token names. */
    async assertTold() {
      const token = claimsOf(await receiver.next());
      assert.deepEqual([token.sid, token.sub], [sid, sub]);
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
    const flow = await loggedIn();
    const { agent, idToken } = flow;
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
    const flow = await loggedIn();
    const { agent } = flow;
    const page = await agent.get(`${service.baseUrl}/saml/logout?SAMLResponse=x`);
    assert.deepEqual([page.status, page.location], [200, undefined]);
    assert.doesNotMatch(page.text, /You are signed out/);
    assert.ok(await flow.isLoggedIn());
    await agent.submit(page, {});
    assert.ok(!(await flow.isLoggedIn()));
    await flow.assertTold();
  });
});

describe('a single logout from the identity provider', () => {
  it('sends a logout token to the client', async () => {
    const flow = await loggedIn();
    const request = idp.logoutRequest(flow.sessionIndex);
    const { status } = await fetch(request, { redirect: 'manual' });
    assert.equal(status, 303, JSON.stringify(service.refusedLogins()));
    assert.ok(!(await flow.isLoggedIn()));
    await flow.assertTold();
  });
});
