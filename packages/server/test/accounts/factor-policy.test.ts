import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import { type AccountUsers, accountUsers } from '@watchword/server-testkit/servers/account-server';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { loadConfiguration } from '../../src/config/load.ts';
import { factorPolicyOf } from '../../src/core/people/factors.ts';
import { registerOpenidClient, verified } from '../support/openid-client.ts';

const password = 'correct horse battery';

/** Logs in at the account page, and resolves with the page after the password. */
async function afterPassword({ baseUrl }: TestServer, username: string, agent = new UserAgent()) {
  return agent.submit(await agent.get(`${baseUrl}/account`), { username, password });
}

const headingOf = ({ html }: Page) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, '');

describe('factors.required', () => {
  it('asks administrators to add a second factor in their login, and nobody else', async () => {
    using clock = stoppedClock();
    await using started = await startServer({
      authenticator: 'password',
      'factors.required': 'administrators',
    });
    const users: AccountUsers = await accountUsers(started);
    await users.addAccount('emma');
    await users.addAccount('ada', true);
    const person = new UserAgent();
    await afterPassword(started, 'emma', person);
    assert.match((await person.get(`${started.baseUrl}/account`)).text, /Recovery codes|Your account/);
    const agent = new UserAgent();
    const choice = await afterPassword(started, 'ada', agent);
    assert.equal(headingOf(choice), 'Add a second factor');
    const page = await agent.submit(choice, { choice: 'totp' });
    assert.match(page.html, /<svg class="qr"/);
    const app = AuthenticatorApp.of(page);
    const codes = await agent.submit(page, { code: app.code() });
    assert.equal(codes.html.match(/<code>/g)?.length, 10);
    // Nobody is logged in before the last page.
    assert.notEqual((await agent.get(`${started.baseUrl}/account`)).html.match(/name="password"/), null);
    await agent.submit(codes, {});
    assert.match((await agent.get(`${started.baseUrl}/account`)).text, /Recovery codes/);
    clock.advance(60);
    const next = await afterPassword(started, 'ada');
    assert.equal(headingOf(next), 'Confirm that it is you');
  });

  it('is administrators for a new installation, none for an older one, a demo and beside a module for development', async () => {
    const { configuration } = await loadConfiguration({ flags: {}, environment: {}, file: undefined });
    const of = async (fallback: string | undefined, insecureBecause?: string, asDemo = false) => {
      const authenticators = new Map([['a', { name: 'a', ...(insecureBecause && { insecureBecause }) }]]);
      const store = { installationDefault: async () => fallback };
      const modules = { authenticators } as unknown as Parameters<typeof factorPolicyOf>[1];
      return (await factorPolicyOf(configuration, modules, store, asDemo)).required;
    };
    assert.equal(await of('administrators'), 'administrators');
    assert.equal(await of(undefined), 'none');
    assert.equal(await of('administrators', 'it accepts every password'), 'none');
    assert.equal(await of('administrators', undefined, true), 'none');
  });
});

describe('the strength of a login', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ authenticator: anyPerson });
  });
  after(() => server[Symbol.asyncDispose]());

  it('is not what the parameters of a request or of a form say, nor an identity provider by the same word', async () => {
    const app = await registerOpenidClient(server);
    const forged = { acr: 'phr', amr: 'hwk mfa', level: 'phr', login_level: 'phr', trust: 'yes' };
    const request = { scope: 'openid', nonce: 'n', acr_values: 'phr', ...forged };
    for (const password of ['{}', '{"acr":"phr"}']) {
      const { parameters, location } = await app.authorize(request, { password });
      const { json } = await app.redeem(parameters.get('code') ?? assert.fail(location));
      const claims = await verified(server, json.id_token, app);
      assert.deepEqual([claims.acr, claims.amr], ['https://refeds.org/profile/sfa', undefined]);
    }
    const essential = JSON.stringify({ id_token: { acr: { essential: true, value: 'phr' } } });
    const agent = new UserAgent();
    const login = await app.open({ ...request, claims: essential }, agent);
    const page = await agent.submit(login, { username: 'emma', password: '{"acr":"phr"}' });
    assert.equal(headingOf(page), 'Add a second factor');
    const { location = '' } = await agent.submit(page, { choice: 'later' });
    assert.equal(new URL(location).searchParams.get('error'), 'unmet_authentication_requirements');
  });

  it('is not what an identity provider calls it, until the operator counts that', async () => {
    const counts = { 'any-person': { mfa: ['urn:example:strong'] } };
    const flags = { authenticator: anyPerson, 'factors.providers': JSON.stringify(counts) };
    await using counting = await startServer(flags);
    for (const [at, isEnough] of [
      [server, false],
      [counting, true],
    ] as const) {
      const app = await registerOpenidClient(at, { loginLevel: 'mfa' });
      const request = { scope: 'openid', nonce: 'n' };
      const strong = JSON.stringify({ acr: 'urn:example:strong' });
      const agent = new UserAgent();
      const login = await app.open(request, agent);
      const page = await agent.submit(login, { username: 'emma', password: strong });
      assert.equal(headingOf(page) !== 'Add a second factor', isEnough);
    }
  });
});
