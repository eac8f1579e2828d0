import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lastMail, mailsOf } from '@watchword/server-testkit/neighbours/mailbox';
import { addPasskey, newPasskey, optionsOf, usePasskey } from '@watchword/server-testkit/people/passkeys';
import {
  type AccountUsers,
  accountUsers,
  isLoggedIn,
} from '@watchword/server-testkit/servers/account-server';
import { engine } from '@watchword/server-testkit/servers/engine';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { Authenticator } from '@watchword/testkit/authenticator';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertPageHeaders } from '../support/browser-answers.ts';

describe('adding a passkey', () => {
  let server: TestServer & AccountUsers;
  before(async () => {
    const started = await startServer({ authenticator: 'password' }, engine, false, true);
    server = { ...started, ...(await accountUsers(started)) };
  });
  after(() => server[Symbol.asyncDispose]());

  const url = (path: string) => `${server.baseUrl}${path}`;
  const form = (agent: UserAgent) => agent.get(url('/account/passkey'));
  const accepted = ({ html }: Page) =>
    JSON.parse((/data-passkeys="([^"]*)"/.exec(html)?.[1] ?? '{}').replaceAll('&quot;', '"'));

  it('lets the person log in with it alone, tells the person, and gives recovery codes', async () => {
    await server.addAccount('emma');
    await server.service.store.accounts.update('emma', { email: 'emma@example.org' }, Date.now());
    const agent = await server.browserOf('emma');
    assert.match((await agent.get(url('/account'))).html, /href="\/account\/passkey"/);
    const page = await form(agent);
    assertPageHeaders(page);
    const account = await server.service.store.accounts.find('emma');
    const { user, rp, excludeCredentials } = optionsOf(page);
    assert.deepEqual([rp, excludeCredentials], [{ id: 'localhost', name: 'Watchword' }, []]);
    assert.deepEqual(user, {
      id: Buffer.from(account?.id ?? '').toString('base64url'),
      name: 'emma',
      displayName: 'The emma',
    });
    const authenticator = new Authenticator();
    const fields = { ...newPasskey(page, authenticator, server), name: 'My phone' };
    const added = await agent.submit(page, fields);
    assert.equal(added.html.match(/<li><code>/g)?.length, 10);
    const shown = await agent.get(url('/account'));
    assert.match(shown.text, /Passkey My phone Added on/);
    const id = authenticator.id.toString('base64url');
    assert.deepEqual(accepted(shown), {
      ...{ rpId: 'localhost', userId: user.id, allAcceptedCredentialIds: [id] },
      ...{ name: 'emma', displayName: 'The emma' },
    });
    assert.deepEqual(optionsOf(await form(agent)).excludeCredentials[0]?.id, id);
    const { values } = await lastMail(server, 'new_factor', 'emma@example.org');
    assert.deepEqual(values.factor, { kind: 'passkey', label: 'My phone' });
    const told = async () => (await mailsOf(server)).filter(({ kind }) => kind === 'new_device').length;
    const before = await told();
    const browser = new UserAgent();
    for (const _ of ['a new device', 'the same one']) {
      await usePasskey(browser, await browser.get(url('/account')), authenticator, server);
      assert.ok(await isLoggedIn(browser, server));
      assert.equal(await told(), before + 1);
      await browser.submit(await browser.get(url('/logout')), {});
    }
    const events = await server.service.store.auditEvents.list({ kind: 'changes', limit: 99 });
    const addings = events.filter(
      ({ action, recordName }) => action === 'addFactor' && recordName === 'emma',
    );
    assert.deepEqual(
      addings.map(({ after }) => after),
      [
        { kind: 'recovery_code', left: 10 },
        { kind: 'passkey', name: 'My phone' },
      ],
    );
  });

  it('refuses what is forged, late or sent twice, and explains a page without a script', async () => {
    await server.addAccount('finn');
    const agent = await server.browserOf('finn');
    const page = await form(agent);
    const says = async (fields: Record<string, string>, from = page) =>
      (await agent.submit(from, fields)).text;
    assert.match(await says({ passkey: '' }), /needs a browser that runs scripts/);
    const authenticator = new Authenticator();
    const forged = newPasskey(page, authenticator, server, {
      clientData: { origin: 'https://evil.example' },
    });
    assert.match(await says(forged), /was not accepted/);
    assert.match(await says(newPasskey(page, authenticator, server)), /took too long/);
    assert.match(await says(newPasskey(await form(agent), authenticator, server)), /took too long/);
    assert.deepEqual(accepted(await agent.get(url('/account'))).allAcceptedCredentialIds, []);
    assert.match(server.log(), /"check":"origin".*refused a passkey/);
    const fresh = await form(agent);
    const name = 'x'.repeat(51);
    assert.match(
      await says({ ...newPasskey(fresh, authenticator, server), name }, fresh),
      /at most 50 characters/,
    );
  });

  it('never takes a passkey that somebody else has', async () => {
    await server.addAccount('gina');
    await server.addAccount('thief');
    const mine = await addPasskey(server, 'gina');
    const agent = await server.browserOf('thief');
    const page = await form(agent);
    const taken = await agent.submit(page, newPasskey(page, mine, server));
    assert.equal(taken.status, 400);
    const stored = await server.service.store.credentials.findByHandle(mine.id.toString('base64url'));
    assert.equal(stored?.owner.name, 'gina');
  });
});
