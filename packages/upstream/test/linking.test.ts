import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { lastMail } from '@watchword/server-testkit/neighbours/mailbox';
import { type AccountUsers, accountUsers } from '@watchword/server-testkit/servers/account-server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import {
  authState,
  beginLink,
  besideAccounts,
  href,
  logInAgain,
  logInWithPassword,
  accountPassword as password,
  press,
} from './support/links.ts';
import { atProvider, optionsFor, type Service, startService } from './support/service.ts';
import { clientId, clientSecret, startTestProvider, type TestProvider } from './support/test-provider.ts';

const local = { identityProvider: 'password' } as const;

let provider: TestProvider;
let service: Service;
let users: AccountUsers;
let people = 0;

before(async () => {
  provider = await startTestProvider();
  service = await started();
  users = await accountUsers(service.server);
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  people += 1;
  provider.person = { sub: `user-${people}`, name: `Emma ${people}`, sid: `session-${people}` };
});

const elsewhere = () => `corp:${provider.issuer}`;

function started(linkByVerifiedAddress?: readonly string[]): Promise<Service> {
  const trusted = linkByVerifiedAddress === undefined ? {} : { emailDomains: ['*'] };
  const upstream = { options: { ...optionsFor(provider), ...trusted } };
  const corp = { ...upstream, ...(linkByVerifiedAddress && { linkByVerifiedAddress }) };
  // Nobody listens: the mails stay in the store.
  const mail = { 'mail.url': 'smtp://127.0.0.1:9', 'mail.from': 'no-reply@example.org' };
  return startService({}, { ...besideAccounts(corp), ...mail, 'outbound.privateHosts': provider.host });
}

const withPassword = (username: string) => logInWithPassword(service, username);

async function atCorp(agent = new UserAgent(), of = service): Promise<Page> {
  const chooser = await agent.get(`${of.baseUrl}/account`);
  const there = await agent.get(href(chooser, 'authenticator=corp'));
  return agent.get(await atProvider(there));
}

/** Goes to the provider and back to the page that asks. */
async function asked(agent: UserAgent): Promise<Page> {
  return agent.get(await beginLink(service, agent, provider.issuer));
}

/** Presses the button that removes the link. */
const unlink = (agent: UserAgent) => press(service, agent, { authenticator: 'corp', unlink: 'yes' });

async function linked(username: string): Promise<UserAgent> {
  await users.addAccount(username);
  const agent = await withPassword(username);
  const done = await agent.submit(await asked(agent), {});
  assert.match(done.text, /The service is linked/);
  return agent;
}

async function ownerOf(): Promise<readonly [string, string]> {
  const { owner } = await service.session();
  return [owner.identityProvider, owner.principal.name];
}

/** Makes the login of the session that `username` began last older than ten minutes. */
async function makeOlder(username: string): Promise<void> {
  const { auditEvents, loginSessions } = service.server.service.store;
  const { id } = await service.session();
  const session = await loginSessions.find(id);
  const [login] = await auditEvents.list({ person: { ...local, name: username }, kind: 'logins', limit: 1 });
  assert.ok(session && login);
  const { authentication } = session;
  const older = { ...authentication, authenticatedAt: authentication.authenticatedAt - 600_001 };
  const event = { ...login, id: `${login.id.slice(0, -4)}0000` };
  await loginSessions.raise({ ...session, authentication: older }, event);
}

describe('linking an account to another provider', () => {
  it('names both sides, and from then on a login there is one of the account', async () => {
    await users.addAccount('anna');
    const agent = await withPassword('anna');
    const page = await asked(agent);
    assert.match(page.text, new RegExp(`Emma ${people}|user-${people}`));
    assert.match(page.text, /The anna \( ?anna ?\)/);
    const done = await agent.submit(page, {});
    assert.match(done.text, /The service is linked/);
    const other = new UserAgent();
    assert.match((await atCorp(other)).text, /Signed in as The anna/);
    assert.deepEqual(await ownerOf(), ['password', 'anna']);
    const session = await service.session();
    assert.equal(session.authenticator, 'corp');
    const own = await service.server.service.store.accounts.find('anna');
    const [link] = await service.server.service.store.accountLinks.listOfAccount(own?.id ?? '');
    assert.ok((link?.lastUsed ?? 0) > 0);
    const [event] = await service.server.service.store.auditEvents.list({
      ...{ person: { ...local, name: 'anna' }, kind: 'changes', limit: 1 },
    });
    assert.deepEqual([event?.action, event?.actor.name, event?.recordName], ['linkProvider', 'anna', 'anna']);
  });

  it('ends such a session where the provider says that the person has logged out', async () => {
    await linked('olga');
    const agent = new UserAgent();
    await atCorp(agent);
    const answer = await service.logOut(
      await provider.logoutToken('watchword at the provider', { sid: provider.person.sid }),
    );
    assert.equal(answer.status, 200);
    assert.doesNotMatch((await agent.get(`${service.baseUrl}/account`)).text, /Signed in as/);
  });

  it('ends such a session also after the address of the account has changed in it', async () => {
    await linked('rita');
    const agent = new UserAgent();
    await atCorp(agent);
    const address = 'rita@example.org';
    const asking = await agent.get(`${service.baseUrl}/account/address`);
    await agent.submit(asking, { address, password, choice: 'ask' });
    const { path } = (await lastMail(service.server, 'confirm_address', address)).values;
    await agent.submit(await agent.get(`${service.baseUrl}${path}`), { choice: 'confirm' });
    assert.match((await agent.get(`${service.baseUrl}/account`)).text, /rita@example\.org/);
    await service.logOut(
      await provider.logoutToken('watchword at the provider', { sid: provider.person.sid }),
    );
    assert.doesNotMatch((await agent.get(`${service.baseUrl}/account`)).text, /Signed in as/);
  });

  it('needs a login that is not older than ten minutes', async () => {
    await users.addAccount('bert');
    const agent = await withPassword('bert');
    await makeOlder('bert');
    const page = await press(service, agent, { authenticator: 'corp' });
    assert.match(page.text, /please sign in again first/);
    await logInAgain(page, 'bert', agent);
    assert.match((await asked(agent)).text, /The bert \( ?bert ?\)/);
  });

  it('does nothing until the person agrees, and nothing in another browser', async () => {
    await users.addAccount('carl');
    const agent = await withPassword('carl');
    const page = await asked(agent);
    await users.addAccount('mallory');
    const other = await withPassword('mallory');
    const stolen = await other.post(`${service.baseUrl}/account/link`, { auth_state: authState(page) });
    assert.equal(stolen.status, 400);
    // The callback of a login that was begun in one browser does not link in another one.
    const callback = await beginLink(service, agent, provider.issuer);
    assert.equal((await other.get(callback)).status, 400);
    await atCorp();
    assert.deepEqual((await ownerOf())[0], elsewhere());
  });

  it('refuses a person who is linked elsewhere, and one who has given applications access', async () => {
    await linked('dora');
    await users.addAccount('eric');
    const agent = await withPassword('eric');
    assert.match((await asked(agent)).text, /has a link already/);
    provider.person = { sub: 'with grants', name: 'Greta' };
    const greta = new UserAgent();
    const chooser = await greta.get(
      `${service.baseUrl}/authorize?response_type=code&client_id=demo-app&authenticator=corp`,
    );
    const there =
      chooser.location === undefined ? await greta.get(href(chooser, 'authenticator=corp')) : chooser;
    await greta.get(await atProvider(there));
    assert.match((await asked(agent)).text, /applications have access in the name of this person/);
  });

  it('links one person at once to one account, and one account to one person', async () => {
    for (const name of ['gina', 'hugo']) await users.addAccount(name);
    const agents = await Promise.all(['gina', 'hugo'].map((name) => withPassword(name)));
    const pages = await Promise.all(agents.map(asked));
    const done = await Promise.all(pages.map((page, index) => agents[index]?.submit(page, {})));
    const texts = done.map((page) => (/The service is linked/.test(page?.text ?? '') ? 'linked' : 'refused'));
    assert.deepEqual(texts.toSorted(), ['linked', 'refused']);
  });

  it('lets nobody in to an account that is disabled', async () => {
    await linked('ivan');
    await service.server.service.store.accounts.update('ivan', { disabled: true }, Date.now());
    const page = await atCorp();
    assert.equal(page.status, 403);
    assert.match(page.text, /disabled|not allowed|denied/i);
  });

  it('goes with the account that is deleted', async () => {
    await linked('jana');
    await service.server.service.store.accounts.delete('jana', Date.now());
    await atCorp();
    assert.deepEqual((await ownerOf())[0], elsewhere());
  });
});

describe('removing a link', () => {
  it('makes the person another user again, and ends the sessions that began there', async () => {
    const agent = await linked('karl');
    const other = new UserAgent();
    await atCorp(other);
    assert.match((await unlink(agent)).text, /The link is removed/);
    assert.doesNotMatch((await other.get(`${service.baseUrl}/account`)).text, /Signed in as The karl/);
    assert.match((await agent.get(`${service.baseUrl}/account`)).text, /Signed in as The karl/);
    await atCorp();
    assert.deepEqual((await ownerOf())[0], elsewhere());
  });

  it('is refused where it is the only way to log in', async () => {
    const agent = await linked('lena');
    await service.server.service.store.accounts.update('lena', { passwordHash: undefined }, Date.now());
    await atCorp(agent);
    assert.match((await unlink(agent)).text, /only way to sign in/);
    await atCorp();
    assert.deepEqual(await ownerOf(), ['password', 'lena']);
  });
});

describe('an account to which only a link leads', () => {
  const onlyLinked = async (name: string) => {
    const agent = await linked(name);
    await service.server.service.store.accounts.update(name, { passwordHash: undefined }, Date.now());
    await atCorp(agent);
    return agent;
  };
  const chosen = 'a long text for a door';
  const twice = { new_password: chosen, new_password_again: chosen };

  it('gets a password after a new login there, and the link can then be removed', async () => {
    const agent = await onlyLinked('paul');
    assert.match((await agent.get(`${service.baseUrl}/account`)).text, /Set a password/);
    const other = new UserAgent();
    await atCorp(other);
    const page = await agent.get(`${service.baseUrl}/account/password`);
    assert.doesNotMatch(page.html, /name="(?:password|end_grants)"/);
    assert.match((await agent.submit(page, twice)).text, /From now on you can sign in with it too/);
    assert.match((await other.get(`${service.baseUrl}/account`)).text, /Signed in as The paul/);
    const third = new UserAgent();
    const choice = await third.get(`${service.baseUrl}/account`);
    const form = await third.get(href(choice, 'authenticator=password'));
    const own = await third.submit(form, { username: 'paul', password: chosen });
    assert.match(own.text, /Signed in as The paul/);
    assert.match((await unlink(agent)).text, /The link is removed/);
    // A page of the account without a password sets no second one.
    assert.equal((await agent.submit(page, { ...twice, new_password: 'another' })).status, 400);
  });

  it('gets none, nor another address, in a session whose login is older than ten minutes', async () => {
    const agent = await onlyLinked('rosa');
    const forms = ['password', 'address'].map((path) => `${service.baseUrl}/account/${path}`);
    const shown = await Promise.all(forms.map((url) => agent.get(url)));
    await makeOlder('rosa');
    for (const url of forms) {
      assert.match((await agent.get(url)).text, /How do you want to.*please sign in again first/, url);
    }
    const [password, address] = shown;
    assert.ok(password && address);
    const typed = { address: 'rosa@example.org', choice: 'ask' };
    for (const page of [await agent.submit(password, twice), await agent.submit(address, typed)]) {
      assert.deepEqual([page.status, /please sign in again first/.test(page.text)], [403, true]);
    }
    const { store } = service.server.service;
    assert.equal((await store.accounts.find('rosa'))?.passwordHash, undefined);
    const chooser = await agent.get(`${service.baseUrl}/account/password`);
    await agent.get(await atProvider(await agent.get(href(chooser, 'authenticator=corp'))));
    const again = await agent.get(`${service.baseUrl}/account/address`);
    assert.doesNotMatch(again.html, /name="password"/);
    assert.match((await agent.submit(again, typed)).text, /A mail is on its way to the new address/);
    assert.match(
      (await agent.submit(await agent.get(`${service.baseUrl}/account/password`), twice)).text,
      /saved/,
    );
  });

  it('is shown with its link in the download, and deleted after a new login', async () => {
    const agent = await linked('nora');
    await service.server.service.store.accounts.update('nora', { passwordHash: undefined }, Date.now());
    await atCorp(agent);
    const data = JSON.parse((await agent.get(`${service.baseUrl}/account/data`)).html);
    const [provided] = data.linkedProviders;
    assert.deepEqual([provided.authenticator, provided.identityProvider], ['corp', elsewhere()]);
    const page = await agent.get(`${service.baseUrl}/account/delete`);
    assert.doesNotMatch(page.html, /name="password"/);
    assert.match((await agent.submit(page, {})).text, /Your account is deleted/);
    assert.equal(await service.server.service.store.accounts.find('nora'), undefined);
  });
});

describe('an e-mail address', () => {
  let trusting: Service;
  let trusted: AccountUsers;
  before(async () => {
    trusting = await started(['example.org']);
    trusted = await accountUsers(trusting.server);
  });
  after(() => trusting[Symbol.asyncDispose]());

  /** An account, and a person of the provider, with the same address. */
  const addressed = async (of: Service, email: string, change: object = {}) => {
    const [name = ''] = email.split('@');
    await (of === service ? users : trusted).addAccount(name);
    const { accounts } = of.server.service.store;
    await accounts.update(name, { email, emailVerified: true, ...change }, Date.now());
    provider.person = { sub: `of ${name}`, name, email, email_verified: true };
  };

  it('alone never opens an account', async () => {
    await addressed(service, 'mona@example.org');
    await atCorp();
    assert.deepEqual((await ownerOf())[0], elsewhere());
  });

  for (const [what, email, change, claims, isLinked] of [
    ['links', 'mona@example.org', {}, {}, true],
    ['of another domain does not link', 'nils@example.com', {}, {}, false],
    ['of a domain with the same end does not link', 'olaf@anexample.org', {}, {}, false],
    [
      'that the provider has not verified does not link',
      'pina@example.org',
      {},
      { email_verified: false },
      false,
    ],
    ['that was not verified here does not link', 'rolf@example.org', { emailVerified: false }, {}, false],
    ['of an administrator does not link', 'sara@example.org', { adminPrincipal: true }, {}, false],
  ] as const) {
    it(`${what}, where the operator allows a domain`, async () => {
      await addressed(trusting, email, change);
      provider.person = { ...provider.person, ...claims };
      await atCorp(new UserAgent(), trusting);
      const { owner } = await trusting.session();
      assert.equal(owner.identityProvider, isLinked ? 'password' : elsewhere());
      if (isLinked) assert.equal(owner.principal.name, 'mona');
    });
  }

  it('links where an administrator has set the provider up with the domain', async () => {
    await addressed(trusting, 'tina@example.org');
    const root = await trusted.logIn('root', password, await logInWithPassword(trusting, 'root'));
    const setUp = (linkByVerifiedAddress: readonly string[]) => {
      const settings = { issuer: provider.issuer, clientId, clientSecret, emailDomains: ['example.org'] };
      return root.call('POST', '/admin/authenticator', {
        ...{ name: 'partner', kind: 'oidc', label: 'Partner' },
        settings: { ...settings, linkByVerifiedAddress },
      });
    };
    const refused = await setUp(['Example.org']);
    assert.match(refused.text, /linkByVerifiedAddress: .*small letters/);
    const made = await setUp(['example.org']);
    assert.equal(made.status, 201, made.text);
    const agent = new UserAgent();
    const chooser = await agent.get(`${trusting.baseUrl}/account`);
    await agent.get(await atProvider(await agent.get(href(chooser, 'authenticator=partner'))));
    const { owner } = await trusting.session();
    assert.deepEqual([owner.identityProvider, owner.principal.name], ['password', 'tina']);
  });
});
