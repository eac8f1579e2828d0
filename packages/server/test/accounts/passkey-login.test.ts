import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { parseExposition, seriesValue } from '@watchword/server-testkit/neighbours/exposition';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import { addPasskey, passkeyAnswer, usePasskey } from '@watchword/server-testkit/people/passkeys';
import {
  type AccountServer,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { Authenticator, type Forgery, flag } from '@watchword/testkit/authenticator';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

describe('logging in with a passkey', () => {
  let server: AccountServer;
  before(async () => {
    server = await startAccountServer({ trustedProxies: '127.0.0.1,::1' });
  });
  after(() => server[Symbol.asyncDispose]());

  const password = 'correct horse battery';
  const loginPage = (agent: UserAgent) => agent.get(`${server.baseUrl}/account`);

  it('needs neither name nor password, and says how it was done', async () => {
    await server.addAccount('emma');
    const authenticator = await addPasskey(server, 'emma', { flags: flag.backupEligible });
    const agent = new UserAgent();
    const page = await loginPage(agent);
    assert.match(page.html, /autocomplete="username webauthn"/);
    await usePasskey(agent, page, authenticator, server);
    assert.match((await loginPage(agent)).text, /The emma/);
    const [row] = await sql(
      server.database,
      "select authentication from login_session where principal_name = 'emma'",
    );
    const authentication = JSON.parse(String(row?.authentication));
    const { amr, acr, level } = authentication;
    assert.deepEqual({ amr, acr, level }, { amr: ['swk', 'user', 'mfa'], acr: 'phr', level: 'phr' });
  });

  it('confirms a login by password, as the second factor', async () => {
    await server.addAccount('tess');
    const authenticator = await addPasskey(server, 'tess');
    const agent = new UserAgent();
    const page = await agent.submit(await loginPage(agent), { username: 'tess', password });
    assert.match(page.text, /Confirm with a passkey/);
    const foreign = await addPasskey(server, 'root');
    const choice = 'passkey';
    const other = await agent.submit(page, { choice, ...passkeyAnswer(page, foreign, server) });
    assert.match(other.text, /is not known here/);
    assert.ok(!(await isLoggedIn(agent, server)));
    await agent.submit(other, { choice, ...passkeyAnswer(other, authenticator, server) });
    assert.match((await loginPage(agent)).text, /The tess/);
    const metrics = parseExposition((await server.get('/metrics')).text);
    const presented = ['first_factor', 'second_factor'].map((step) =>
      ['success', 'failure'].map((outcome) =>
        seriesValue(metrics, 'watchword_factors_presented_total', { kind: 'passkey', step, outcome }),
      ),
    );
    assert.deepEqual(presented, [
      [1, 0],
      [1, 1],
    ]);
  });

  it('is not replaced by a weaker factor where a client demands it, whatever the form says', async () => {
    const app = await registerApplication(server, { loginLevel: 'phr', skipConsent: true });
    await server.addAccount('vera');
    const agent = await server.browserOf('vera');
    const adding = await agent.get(`${server.baseUrl}/account/totp`);
    const phone = AuthenticatorApp.of(adding);
    const { html } = await agent.submit(adding, { code: phone.code() });
    const [, recoveryCode = ''] = /<code>([\w-]{19})<\/code>/.exec(html) ?? [];
    const authenticator = await addPasskey(server, 'vera');
    const browser = new UserAgent();
    let page = await browser.submit(await app.open({}, browser), { username: 'vera', password });
    for (const weaker of [
      { choice: 'totp', code: phone.code(1) },
      { choice: 'recovery_code', code: recoveryCode },
      { code: phone.code(1) },
      { choice: 'later' },
    ]) {
      // No button of the page sends it.
      const form = page.forms.find(({ controls }) => controls.some(({ name }) => name === 'passkey'));
      const state = form?.controls.find(({ name }) => name === 'auth_state')?.value ?? '';
      page = await browser.post(form?.action ?? '', { auth_state: state, ...weaker });
      assert.match(page.text, /Confirm with a passkey/, JSON.stringify(weaker));
      assert.doesNotMatch(page.html, /value="(totp|recovery_code)"/);
    }
    const answered = await browser.submit(page, {
      choice: 'passkey',
      ...passkeyAnswer(page, authenticator, server),
    });
    assert.match(answered.location ?? '', /[?&]code=/);
  });

  it('leads on to the client that asked', async () => {
    await server.addAccount('lena');
    const authenticator = await addPasskey(server, 'lena');
    const agent = new UserAgent();
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    await usePasskey(agent, await agent.get(url), authenticator, server);
    const { parameters } = await followFlow(agent, url, {});
    assert.match(parameters.get('code') ?? '', /./);
  });

  it('is refused once the passkey is removed, or the account is disabled or deleted', async () => {
    const { store } = server.service;
    const ends: Readonly<Record<string, (username: string, subject: string) => Promise<unknown>>> = {
      removed: (_, subject) => store.credentials.deleteBySubject(subject),
      disabled: (username) => store.accounts.update(username, { disabled: true }, Date.now()),
      deleted: (username) => store.accounts.delete(username, Date.now()),
    };
    for (const [how, end] of Object.entries(ends)) {
      await server.addAccount(how);
      const authenticator = await addPasskey(server, how);
      const agent = new UserAgent();
      const page = await loginPage(agent);
      const handle = authenticator.id.toString('base64url');
      await end(how, (await store.credentials.findByHandle(handle))?.subject ?? '');
      const again = await usePasskey(agent, page, authenticator, server);
      assert.equal(again.status, 403, how);
      assert.match(again.text, how === 'disabled' ? /was not accepted/ : /is not known here/);
      assert.equal(again.html.includes(`data-unknown="${handle}"`), how !== 'disabled');
      assert.ok(!(await isLoggedIn(agent, server)));
    }
  });

  it('is bound to the browser of its page, and replayed by no other', async () => {
    await server.addAccount('mia');
    const authenticator = await addPasskey(server, 'mia');
    const [agent, thief] = [new UserAgent(), new UserAgent()];
    const page = await loginPage(agent);
    const answer = passkeyAnswer(page, authenticator, server);
    const stolen = await thief.submit(await loginPage(thief), answer);
    assert.match(stolen.text, /was not accepted/);
    assert.equal((await thief.submit(page, answer)).status, 400);
    assert.ok(!(await isLoggedIn(thief, server)));
    await agent.submit(page, answer);
    assert.ok(await isLoggedIn(agent, server));
    const replayed = await agent
      .submit(await agent.get(`${server.baseUrl}/logout`), {})
      .then(() => agent.submit(page, answer));
    assert.match(replayed.text, /took too long/);
    assert.ok(!(await isLoggedIn(agent, server)));
  });

  it('keeps the answer out of the log, which has the check that failed', async () => {
    await server.addAccount('nora');
    const authenticator = await addPasskey(server, 'nora');
    const agent = new UserAgent();
    const page = await loginPage(agent);
    const forgery = { relyingPartyId: 'evil.example' };
    const answer = passkeyAnswer(page, authenticator, server, forgery);
    assert.equal((await agent.submit(page, answer)).status, 403);
    assert.match(server.log(), /"check":"relying_party".*refused a passkey/);
    const { response } = JSON.parse(answer.passkey);
    for (const secret of [response.signature, response.clientDataJSON])
      assert.ok(!server.log().includes(secret));
  });

  it('explains itself where no script runs', async () => {
    const agent = new UserAgent();
    const page = await agent.submit(await loginPage(agent), { passkey: '' });
    assert.match(page.text, /A passkey needs a browser that runs scripts/);
    assert.equal(page.status, 403);
  });

  it('slows down a network that tries many, and never who has the passkey', async () => {
    await server.addAccount('olga');
    const [mine, foreign] = [await addPasskey(server, 'olga'), new Authenticator()];
    const agent = new UserAgent();
    const statusesOf = async (tried: Authenticator, forgery?: Forgery) => {
      const statuses: number[] = [];
      while (statuses.at(-1) !== 429 && statuses.length < 8) {
        const page = await loginPage(agent);
        statuses.push((await usePasskey(agent, page, tried, server, forgery)).status);
      }
      return [statuses[0], statuses.at(-1)];
    };
    assert.deepEqual(await statusesOf(foreign), [403, 429]);
    // Whoever knows its id and no key: the page of a second factor tells it to those who have the password.
    assert.deepEqual(await statusesOf(mine, { relyingPartyId: 'evil.example' }), [403, 429]);
    const elsewhere = new UserAgent({ 'x-forwarded-for': '198.51.100.7' });
    const [page, other] = [await loginPage(elsewhere), await loginPage(elsewhere)];
    assert.equal((await usePasskey(elsewhere, page, foreign, server)).status, 403);
    for (const owner of [agent, elsewhere]) {
      await usePasskey(owner, owner === agent ? await loginPage(agent) : other, mine, server);
      assert.ok(await isLoggedIn(owner, server));
    }
  });
});
