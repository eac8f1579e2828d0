import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import {
  atProvider,
  codeOf,
  optionsFor,
  requestLogin,
  type Service,
  startService,
} from './support/service.ts';
import {
  clientId,
  firstKey,
  secondKey,
  startTestProvider,
  type TestProvider,
} from './support/test-provider.ts';

/** Two providers at one server: users trust both, and one of them attacks the other (RFC 9700 §4.4). */
describe('a provider that attacks another one of the same server', () => {
  let honest: TestProvider;
  let evil: TestProvider;
  let service: Service;
  before(async () => {
    honest = await startTestProvider();
    evil = await startTestProvider();
    const entry = (as: string, provider: TestProvider) => ({
      ...{ module: '@watchword/upstream', as, options: optionsFor(provider) },
    });
    service = await startService(
      {},
      { authenticators: JSON.stringify([entry('corp', honest), entry('evil', evil)]) },
    );
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await honest[Symbol.asyncDispose]();
    await evil[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    evil.twist = {};
    evil.keys = [secondKey, firstKey];
    evil.person = { sub: 'user-1', name: 'Mallory' };
    honest.person = { sub: 'user-1', name: 'Emma' };
  });

  const begun = (as: string, agent: UserAgent) => requestLogin(service, agent, `&authenticator_hint=${as}`);
  const callback = (as: string) => `${service.baseUrl}/login/${as}/callback`;
  const assertEnded = (page: Page) => {
    assert.equal(page.location, undefined, 'the browser was sent on');
    assert.ok(page.status >= 400, `${page.status} ${page.text}`);
  };

  it('gets no code of the other one, to whose login it sends the browser', async () => {
    const agent = new UserAgent();
    const asked = new URL((await begun('evil', agent)).location ?? '');
    // The evil one has the browser log in at the honest one, as this server would ask there.
    const there = new URL(`${honest.issuer}/authorize`);
    for (const [name, value] of asked.searchParams) there.searchParams.set(name, value);
    there.searchParams.set('redirect_uri', callback('corp'));
    const response = (await new UserAgent().get(there.href)).location ?? '';
    assert.ok(response.startsWith(callback('corp')), response);
    const [before, tokens] = [evil.tokenRequests.length, honest.tokenRequests.length];
    assertEnded(await agent.get(response));
    // The code is of no use at the address of the evil one either: the honest one would not send it there.
    assert.deepEqual([evil.tokenRequests.length, honest.tokenRequests.length], [before, tokens]);
  });

  it('gets nobody logged in with a code of its own in a login at the other one', async () => {
    const agent = new UserAgent();
    const own = new URL(await atProvider(await begun('corp', agent)));
    const other = new URL(await atProvider(await begun('evil', new UserAgent())));
    own.searchParams.set('code', other.searchParams.get('code') ?? '');
    assertEnded(await agent.get(own.href));
    assert.equal(service.rejected().at(-1)?.check, 'code');
  });

  it('cannot pass its ID token, or one that the other one issued, for one of the other', async () => {
    const agent = new UserAgent();
    // Its own claims, with the issuer of the other.
    evil.twist = { claims: () => ({ iss: honest.issuer }) };
    assertEnded(await agent.get(await atProvider(await begun('evil', agent))));
    assert.equal(service.rejected().at(-1)?.check, 'issuer');
    // A token of the other one that it has got somewhere, whose key it publishes as its own.
    evil.twist = { idToken: (claims) => honest.sign({ ...claims, iss: honest.issuer }) };
    assertEnded(await agent.get(await atProvider(await begun('evil', agent))));
    assert.equal(service.rejected().at(-1)?.check, 'issuer');
  });

  it('is no provider of the users of the other one, with the same sub and address', async () => {
    const email = 'emma@example.org';
    honest.person = { ...honest.person, email, email_verified: true };
    evil.person = honest.person;
    const subjects: string[] = [];
    for (const as of ['corp', 'evil']) {
      const agent = new UserAgent();
      codeOf(await agent.get(await atProvider(await begun(as, agent))));
      const { owner } = await service.session();
      subjects.push(`${owner.identityProvider} ${owner.subject}`);
    }
    const [first = '', second = ''] = subjects;
    assert.notEqual(first, second);
    assert.notEqual(first.split(' ')[1], second.split(' ')[1]);
  });

  it('ends no session of the other one', async () => {
    const agent = new UserAgent();
    codeOf(await agent.get(await atProvider(await begun('corp', agent))));
    const token = await evil.logoutToken(clientId, { iss: honest.issuer });
    for (const as of ['corp', 'evil']) {
      const answer = await service.server.post(`/login/${as}/backchannel-logout`, { logout_token: token });
      assert.equal(answer.status, 400, answer.text);
    }
    const own = await evil.logoutToken(clientId);
    assert.equal(
      (await service.server.post('/login/evil/backchannel-logout', { logout_token: own })).status,
      200,
    );
    assert.match((await agent.get(`${service.baseUrl}/account`)).html, /page-account/);
  });
});
