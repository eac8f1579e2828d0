import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { accountAdministration, systemCaller } from '@watchword/administration';
import { clientPrincipal } from '@watchword/protocol';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import {
  cheapCost,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { rounds, slowTest } from '@watchword/testkit';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { argon2Hasher } from '../../../src/modules/authentication/password-hasher.ts';
import { systemClock, systemRandom } from '../../../src/system.ts';
import { assertError } from '../../support/error-answers.ts';

const password = 'correct horse battery';

describe('passwords of local accounts', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    // Every test has an address of its own, which a proxy sends.
    server = await startServer({ authenticator: 'password', trustedProxies: '127.0.0.1' });
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const administration = () => {
    const hasher = argon2Hasher({ random: systemRandom, concurrency: 2, cost: cheapCost });
    return accountAdministration({
      ...server.service.store,
      clock: systemClock,
      random: systemRandom,
      hashPassword: hasher.hash,
      caller: systemCaller,
    });
  };
  const createAccount = (username: string) =>
    administration().create(
      { username, displayName: username, roles: [], groups: [], adminPrincipal: false },
      password,
    );
  const browserAt = (address: string) => new UserAgent({ 'x-forwarded-for': address });
  const logIn = async (agent: UserAgent, username: string, typed: string): Promise<Page> =>
    agent.submit(await app.open({}, agent), { username, password: typed });
  const isLoggedIn = (page: Page) =>
    page.forms.some(({ controls }) => controls.some(({ name }) => name === 'decision'));

  it('LC-13: can be guessed more and more slowly from one address, and the right one is accepted after the wait', async () => {
    using clock = stoppedClock();
    await createAccount('emma');
    const agent = browserAt('198.51.100.1');
    const statuses: number[] = [];
    for (let guess = 0; guess < rounds(8, 100); guess += 1) {
      statuses.push((await logIn(agent, 'emma', `guess ${guess}`)).status);
    }
    assert.deepEqual(statuses.slice(0, 5), Array(5).fill(403));
    assert.deepEqual(new Set(statuses.slice(5)), new Set([429]));
    const waiting = await logIn(agent, 'emma', password);
    assert.equal(waiting.status, 429);
    assert.match(waiting.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.ok(isLoggedIn(await logIn(browserAt('198.51.100.2'), 'emma', password)), 'locked out elsewhere');
    clock.advance(Number(waiting.headers.get('retry-after')));
    assert.ok(isLoggedIn(await logIn(agent, 'emma', password)), 'expected that the wait is over');
  });

  it('LC-13: are counted also when they are tried at the same time', async () => {
    using _clock = stoppedClock();
    await createAccount('otto');
    const agent = browserAt('198.51.100.4');
    const page = await app.open({}, agent);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, guess) =>
        agent.submit(page, { username: 'otto', password: `guess ${guess}` }),
      ),
    );
    const looked = answers.filter(({ status }) => status === 403);
    assert.ok(looked.length <= 5, `${looked.length} passwords were looked at`);
    for (const { status } of answers) assert.ok([403, 429, 503].includes(status), String(status));
  });

  // accounts/password-login.test.ts holds it.
  slowTest('LC-13: cannot be guessed faster with a forged address', async () => {
    using _clock = stoppedClock();
    await using alone = await startServer({ authenticator: 'password' });
    const its = await registerApplication(alone);
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess += 1) {
      const agent = browserAt(`203.0.113.${guess}`);
      const page = await its.open({}, agent);
      statuses.push((await agent.submit(page, { username: 'nobody', password: 'x' })).status);
    }
    assert.ok(statuses.includes(429), statuses.join());
  });

  it('LC-14: that are wrong have the same answer, whether the account exists or not', async () => {
    await createAccount('anna');
    await createAccount('gone');
    await administration().update('gone', { disabled: true });
    const answers: string[] = [];
    for (const [index, [username, typed]] of [
      ['anna', 'wrong'],
      ['anna', ''],
      ['anna', 'x'.repeat(10_000)],
      ['nobody', 'wrong'],
      ['nobody', password],
      ['gone', password],
      ['Anna', password],
    ].entries()) {
      const page = await logIn(browserAt(`198.51.100.${10 + index}`), username ?? '', typed ?? '');
      assert.equal(page.status, 403);
      assert.ok(!page.headers.has('retry-after'));
      // Only the typed text, the newly sealed state and the challenge for a passkey can differ.
      answers.push(
        page.html.replaceAll(/ value="[^"]*"|challenge(?:&quot;|&#34;):(?:&quot;|&#34;)[\w.-]+/g, ''),
      );
    }
    assert.equal(new Set(answers).size, 1);
  });

  it('HT-11: that are too long are not normalized, which takes the square of the time for combining marks', async ({
    mock,
  }) => {
    await createAccount('mark');
    const marks = 'a'.concat('\u0315'.repeat(4000), '\u0300'.repeat(4000));
    const lengths: number[] = [];
    const normalize = String.prototype.normalize;
    mock.method(String.prototype, 'normalize', function (this: string, form?: string) {
      lengths.push(this.length);
      return normalize.call(this, form);
    });
    assert.equal((await logIn(browserAt('198.51.100.15'), 'mark', marks)).status, 403);
    await assert.rejects(administration().setPassword('mark', marks), { kind: 'invalid_request' });
    assert.ok(Math.max(...lengths) <= 4096, lengths.join());
  });

  it('CD-9: of an account that is disabled stop working, with its session, its code and its tokens', async () => {
    await createAccount('rosa');
    const agent = browserAt('198.51.100.20');
    const grant = async (page: Page) => {
      const { location } = await agent.submit(page, { decision: 'allow' });
      return new URL(location ?? '').searchParams.get('code') ?? '';
    };
    const tokens = (await app.redeem(await grant(await logIn(agent, 'rosa', password)))).json;
    const { location } = await app.open({}, agent);
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    await administration().update('rosa', { disabled: true });
    assertError(await app.redeem(code), 400, 'invalid_grant');
    assertError(await app.refresh(tokens.refresh_token), 400, 'invalid_grant');
    const info = await server.post(
      '/v1/tokeninfo',
      { access_token: tokens.access_token },
      demoResourceServer,
    );
    assert.equal(info.status, 404);
    assert.equal((await app.open({}, agent)).status, 200);
    assert.equal((await logIn(agent, 'rosa', password)).status, 403);
  });

  it('LC-17: of an account that has the name of a client give no rights of that client', async () => {
    await createAccount('demo-service');
    const agent = browserAt('198.51.100.30');
    const page = await logIn(agent, 'demo-service', password);
    const { location } = await agent.submit(page, { decision: 'allow' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const { access_token } = (await app.redeem(code)).json;
    const info = await server.post('/v1/tokeninfo', { access_token }, demoResourceServer);
    assert.notDeepEqual(info.json.principal, clientPrincipal('demo-service'));
    assert.equal(info.json.audience, app.client.clientName);
    const introspected = await server.post('/oauth2/introspect', { token: access_token }, demoResourceServer);
    const own = await server.post(
      '/oauth2/introspect',
      { token: await server.issueToken() },
      demoResourceServer,
    );
    assert.notEqual(
      `${introspected.json.iss} ${introspected.json.client_id} ${introspected.json.sub}`,
      `${own.json.iss} ${own.json.client_id} ${own.json.sub}`,
    );
  });
});
