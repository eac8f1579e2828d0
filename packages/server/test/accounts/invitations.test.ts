import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newInvitation } from '@watchword/accounts';
import { startMailServer } from '@watchword/server-testkit/neighbours/mail-server';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import { UserAgent } from '@watchword/testkit/user-agent';
import { systemRandom } from '../../src/system.ts';
import { assertErrorPage, assertPageHeaders } from '../support/browser-answers.ts';

const path = '/admin/invitation';
const chosen = 'a long text for a door';
const typed = (username: string, more: Readonly<Record<string, string>> = {}) => ({
  ...{ username, display_name: 'Iris Example', new_password: chosen, new_password_again: chosen },
  ...more,
});

let server: AccountServer;
let root: Administering;
before(async () => {
  server = await startAccountServer({ registration: 'invitation' });
  root = await server.logIn('root');
});
after(() => server[Symbol.asyncDispose]());

async function invite(fields: object = {}) {
  const { status, json } = await root.call('POST', path, { groups: ['staff'], roles: ['editor'], ...fields });
  assert.equal(status, 201);
  return json;
}

describe('an invitation', () => {
  it('makes one account with its groups and roles, which is no administrator', async () => {
    const invitation = await invite({ email: 'iris@example.org', note: 'Iris' });
    const { link, ...listed } = invitation;
    assert.deepEqual(
      [listed.invitedBy, listed.mailed, listed.expires - listed.creationDate],
      ['root', false, 7 * 86_400_000],
    );
    const agent = new UserAgent();
    const page = await agent.get(link);
    assertPageHeaders(page);
    const done = await agent.submit(page, typed('iris'));
    assert.match(done.text, /Your account is made/);
    const account = await server.service.store.accounts.find('iris');
    assert.deepEqual(
      [account?.groups, account?.roles, account?.adminPrincipal, account?.displayName],
      [['staff'], ['editor'], false, 'Iris Example'],
    );
    assert.deepEqual([account?.email, account?.emailVerified], ['iris@example.org', false]);
    await server.browserOf('iris', chosen);
    assertErrorPage(await new UserAgent().get(link), 400);
    const person = { identityProvider: 'password', name: 'iris' };
    const [created] = await server.service.store.auditEvents.list({ person, kind: 'changes', limit: 1 });
    assert.deepEqual([created?.action, created?.recordType], ['create', 'account']);
    assert.ok(!JSON.stringify(created).includes(chosen) && !server.log().includes(chosen));
  });

  it('is redeemed by one of many browsers at the same time', async () => {
    const invitation = await invite();
    const agents = Array.from({ length: 5 }, () => new UserAgent());
    const pages = await Promise.all(agents.map((agent) => agent.get(invitation.link)));
    const answers = await Promise.all(
      agents.map((agent, index) => agent.submit(pages[index] ?? assert.fail(), typed(`race-${index}`))),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const found = await Promise.all(
      agents.map((_, index) => server.service.store.accounts.find(`race-${index}`)),
    );
    assert.equal(found.filter(Boolean).length, 1);
  });

  it('stays when the name is taken, or a field is not right', async () => {
    const invitation = await invite();
    const agent = new UserAgent();
    let page = await agent.get(invitation.link);
    for (const [fields, told] of [
      [typed('root'), /Somebody else has this user name/],
      [typed('x\u200b'), /A user name has 1 to 255 visible characters/],
      [typed('judy', { new_password: 'short', new_password_again: 'short' }), /at least 15 characters/i],
      [typed('judy', { new_password_again: 'x' }), /not the same/],
    ] as const) {
      page = await agent.submit(page, fields);
      assert.equal(page.status, 400);
      assert.match(page.text, told);
    }
    assert.match((await agent.submit(page, typed('judy'))).text, /Your account is made/);
  });

  it('is listed while it waits, without its link, and is of no use once it is withdrawn', async () => {
    const invitation = await invite({ note: 'for Kai' });
    const { link, ...record } = invitation;
    const listed = (await root.get(path)).json;
    assert.deepEqual(listed.at(-1), record);
    assert.doesNotMatch(JSON.stringify(listed), /link/);
    const agent = new UserAgent();
    const page = await agent.get(link);
    assert.equal((await root.call('DELETE', `${path}/${invitation.id}`)).status, 204);
    assert.equal((await root.call('DELETE', `${path}/${invitation.id}`)).status, 404);
    assertErrorPage(await agent.submit(page, typed('kai')), 400);
    assertErrorPage(await new UserAgent().get(link), 400);
    assert.equal(await server.service.store.accounts.find('kai'), undefined);
  });

  it('is made, listed and withdrawn by administrators who logged in alone', async () => {
    const invitation = await invite();
    await server.addAccount('lou');
    const lou = await server.logIn('lou');
    for (const answer of [
      await lou.get(path),
      await lou.call('POST', path, {}),
      await lou.call('DELETE', `${path}/${invitation.id}`),
    ])
      assert.equal(answer.status, 403);
    const wrong = await root.call('POST', path, {
      email: 'x',
      locale: '!',
      groups: [''],
      lifetime: 90 * 86_400 + 1,
    });
    assert.equal(wrong.status, 400);
    assert.match(JSON.stringify(wrong.json.violations), /email: .*locale: .*groups: |lifetime: /);
  });

  it('cannot be used as the link for a password, nor that as an invitation', async () => {
    const invitation = await invite();
    const value = new URL(invitation.link).searchParams.get('link');
    assertErrorPage(await new UserAgent().get(`${server.baseUrl}/account/set-password?link=${value}`), 400);
    const { json } = await root.call('POST', '/admin/account', { username: 'mia' });
    const reset = new URL(json.resetLink).searchParams.get('link');
    assertErrorPage(await new UserAgent().get(`${server.baseUrl}/account/invitation?link=${reset}`), 400);
  });

  it('is mailed to its address where mail is set up, and using that link alone verifies the address', async () => {
    await using mailServer = await startMailServer();
    await using mailing = await startAccountServer({
      'mail.url': mailServer.url,
      'mail.from': 'no-reply@id.example',
      registration: 'invitation',
    });
    const inviting = await mailing.logIn('root');
    const made = (
      await inviting.call('POST', path, { email: 'nora@example.org', locale: 'nl', groups: ['staff'] })
    ).json;
    assert.deepEqual([made.mailed, 'link' in made], [true, false]);
    const [received] = await mailServer.until(1);
    assert.deepEqual([made.locale, received?.to], ['nl', 'nora@example.org']);
    assert.match(received?.mail.subject ?? '', /uitgenodigd|uitnodiging/i);
    const [link] = /http\S+account\/invitation\?link=\S+/.exec(received?.mail.text ?? '') ?? [];
    const agent = new UserAgent();
    const page = await agent.get(link ?? assert.fail('expected a link in the mail'));
    assert.match((await agent.submit(page, typed('nora'))).text, /Your account is made/);
    const { accounts } = mailing.service.store;
    const nora = await accounts.find('nora');
    assert.deepEqual([nora?.email, nora?.emailVerified, nora?.groups], ['nora@example.org', true, ['staff']]);

    const copied = (await inviting.call('POST', path, { groups: ['staff'] })).json;
    assert.deepEqual([copied.mailed, typeof copied.link], [false, 'string']);
    const refused = await inviting.call('POST', path, { email: 'oscar@example.org', groups: [''] });
    assert.equal(refused.status, 400);
    assert.deepEqual(await mailing.service.store.outgoingMail.listDue(Number.MAX_SAFE_INTEGER, 10), []);
    assert.ok(!mailing.log().includes('wwi_'));
  });

  it('is refused by the name of the setting where administrators alone make accounts, but is withdrawn there', async () => {
    await using closed = await startAccountServer();
    const owner = await closed.logIn('root');
    const refused = await owner.call('POST', path, { groups: ['staff'] });
    assert.deepEqual([refused.status, refused.json.error], [409, 'conflict']);
    assert.match(refused.json.error_description, /registration is off.* invitation or open/);
    assert.equal((await owner.get('/admin/registration')).json.accounts, 'off');
    // From before the setting was changed.
    const earlier = newInvitation(
      {
        email: '',
        locale: '',
        mailed: false,
        groups: [],
        roles: [],
        passkey: false,
        note: 'Kim',
        invitedBy: 'root',
      },
      { now: Date.now(), expires: Date.now() + 3_600_000 },
      systemRandom,
    );
    await closed.service.store.personLinks.create(earlier.stored);
    assertErrorPage(
      await new UserAgent().get(`${closed.baseUrl}/account/invitation?link=${earlier.value}`),
      404,
    );
    assert.deepEqual(
      (await owner.get(path)).json.map(({ note }: { note: string }) => note),
      ['Kim'],
    );
    assert.equal((await owner.call('DELETE', `${path}/${earlier.stored.id}`)).status, 204);
  });
});
