import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openClientsKey, systemIdentityProvider } from '@watchword/protocol';
import {
  authorizationRequest,
  buildResourceServer,
  type FlowDependencies,
  flowDependencies,
  protocolError,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { accountEndpoint, homeOf } from '../src/index.ts';

/** Signs in for the account page in a browser. */
async function signIn(deps: FlowDependencies, browser = new TestBrowser()): Promise<TestBrowser> {
  const login = browser.take(await deps.authorization.loginForAccount(browser.state, '/account'));
  assert.ok(login.type === 'login', login.type);
  browser.take(
    await deps.authorization.login(
      submission({ auth_state: login.authState, username: 'emma' }),
      browser.state,
    ),
  );
  return browser;
}

function accountOf(deps: FlowDependencies) {
  return accountEndpoint({ ...deps.dependencies, ...deps, sessions: deps.sessions });
}

async function applications(deps: FlowDependencies, browser: TestBrowser) {
  const view = await accountOf(deps).show(browser.state);
  return view?.applications.map(({ client, granted, consented, lastUsed }) => ({
    clientId: client.clientId,
    scopes: granted.scopes,
    consentedScopes: consented.scopes,
    hasAccess: lastUsed !== undefined,
  }));
}

const year = 366 * 24 * 3_600_000;

describe('the applications of a resource owner', () => {
  it('are those with a grant, and those that get one again without a question', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const shown = { clientId: 'web-app', consentedScopes: ['read', 'write'] };
    const before = await signIn(deps);
    assert.deepEqual(await applications(deps, before), [
      { ...shown, scopes: ['read', 'write'], hasAccess: true },
    ]);
    deps.clock.advance(year);
    const later = await signIn(deps);
    assert.deepEqual(await applications(deps, later), [{ ...shown, scopes: [], hasAccess: false }]);
  });

  it('show what they may do at each resource server', async () => {
    const deps = await flowDependencies();
    const resources = ['https://stock.example'];
    const stock = deps.store.putResourceServer(buildResourceServer({ id: 2, key: 'stock', resources }));
    const otherResourceServers = [{ resourceServerId: 2, scopes: ['read'] }];
    deps.store.putClient({ ...deps.webApp, otherResourceServers });
    const elsewhere = [{ resourceServer: stock, scopes: ['read'] }];
    const browser = new TestBrowser();
    await deps.grant({ resource: 'https://stock.example' }, browser);
    await deps.grant({ scope: 'write' }, browser);
    const view = await accountOf(deps).show(browser.state);
    const [shown] = view?.applications ?? [];
    assert.deepEqual(shown?.granted, { scopes: ['write'], others: elsewhere });
    assert.deepEqual(shown?.consented, { scopes: ['write'], others: elsewhere });
    deps.store.putClient(deps.webApp);
    const later = await accountOf(deps).show(browser.state);
    assert.deepEqual(later?.applications[0]?.granted, { scopes: ['write'], others: [] });
  });

  it('are withdrawn with an entry of the log that names the client', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const browser = await signIn(deps);
    const view = (await accountOf(deps).show(browser.state)) ?? assert.fail('not logged in');
    // The browser has the cookie to which the page is bound.
    assert.deepEqual(view.cookies, {});
    const form = submission({ auth_state: view.authState, client: String(deps.webApp.id) });
    assert.ok(await accountOf(deps).withdraw(form, browser.state));
    const events = await deps.store.auditEvents.list({ limit: 99 });
    const event = events.find(({ action }) => action === 'withdraw');
    assert.deepEqual([event?.recordId, event?.recordName], [String(deps.webApp.id), 'web-app']);
  });

  it('are named after their withdrawal, in that login and for as long as a page is valid', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const browser = await signIn(deps);
    const account = accountOf(deps);
    const view = (await account.show(browser.state)) ?? assert.fail('not logged in');
    const form = submission({ auth_state: view.authState, client: String(deps.webApp.id) });
    const withdrawn = (await account.withdraw(form, browser.state)) ?? assert.fail('not withdrawn');
    const named = async (text: string, of = browser) =>
      (await account.show(of.state, text))?.withdrawn?.clientId;
    assert.equal(await named(withdrawn), 'web-app');
    // A link of another site must not make a user believe anything.
    for (const text of ['', '10', view.authState, `${withdrawn}x`])
      assert.equal(await named(text), undefined);
    assert.equal(await named(withdrawn, await signIn(deps)), undefined);
    deps.clock.advance(3_600_000);
    assert.equal(await named(withdrawn), undefined);
  });

  it('have an address to give access again if an administrator vouches for them, and all redirect URIs agree', () => {
    const of = (trusted: boolean, ...redirectUris: string[]) => homeOf({ trusted, redirectUris });
    const https = 'https://app.example/cb';
    assert.equal(of(true, https, 'http://localhost:3000/cb', 'com.example.app:/cb'), 'https://app.example');
    assert.equal(of(true, 'http://localhost:3000/cb'), 'http://localhost:3000');
    assert.equal(of(false, https), undefined);
    assert.equal(of(true, https, 'https://other.example/cb'), undefined);
    assert.equal(of(true, 'com.example.app:/cb'), undefined);
  });

  it('are withdrawn after the end of the client, too, which the entry of the log names by its number', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const browser = await signIn(deps);
    const view = (await accountOf(deps).show(browser.state)) ?? assert.fail('not logged in');
    const client = String(deps.webApp.id);
    const registry = { ...deps.registry, clientById: () => undefined };
    const { withdraw } = accountEndpoint({ ...deps.dependencies, ...deps, registry });
    await withdraw(submission({ auth_state: view.authState, client }), browser.state);
    const events = await deps.store.auditEvents.list({ limit: 99 });
    assert.equal(events.find(({ action }) => action === 'withdraw')?.recordName, client);
  });

  it('begin with the one that was used last, and those with a remembered consent alone come last', async () => {
    const deps = await flowDependencies();
    const names = ['a', 'b', 'c', 'd'];
    for (const [index, clientId] of names.entries()) {
      const id = 20 + index;
      deps.store.putClient({ ...deps.webApp, id, clientId, clientName: clientId, useRefreshTokens: false });
    }
    const grant = async (client_id: string) => {
      deps.clock.advance(1000);
      await deps.grant({ client_id });
    };
    for (const clientId of ['c', 'd']) await grant(clientId);
    deps.clock.advance(year);
    for (const clientId of ['a', 'b', 'a']) await grant(clientId);
    const view = await accountOf(deps).show((await signIn(deps)).state);
    assert.deepEqual(
      view?.applications.map(({ client, lastUsed }) => [client.clientId, lastUsed !== undefined]),
      [
        ['a', true],
        ['b', true],
        ['d', false],
        ['c', false],
      ],
    );
    const [first, second] = view?.applications ?? [];
    assert.ok(first !== undefined && second !== undefined && first.since < second.since);
  });

  it('have those with access first, also where a consent was remembered later', async () => {
    const deps = await flowDependencies();
    const other = deps.store.putClient({ ...deps.webApp, id: 21, clientId: 'other' });
    const code = (await deps.grant()).get('code') ?? '';
    const redirect_uri = 'https://app.example/cb';
    await deps.token({ grant_type: 'authorization_code', code, redirect_uri });
    deps.clock.advance(1000);
    await deps.grant({ client_id: 'other' });
    deps.store.putClient({ ...other, tokensValidFrom: deps.clock.now() });
    deps.clock.advance(1000);
    deps.store.putClient({ ...deps.webApp, id: 22, clientId: 'brief', useRefreshTokens: false });
    await deps.grant({ client_id: 'brief' });
    deps.clock.advance(300_000);
    const view = await accountOf(deps).show((await signIn(deps)).state);
    assert.deepEqual(
      view?.applications.map(({ client, lastUsed }) => [client.clientId, lastUsed !== undefined]),
      [
        ['web-app', true],
        ['brief', false],
        ['other', false],
      ],
    );
  });

  it('without a remembered consent are known since their first grant', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, skipConsent: true });
    const first = deps.clock.now();
    await deps.grant();
    deps.clock.advance(1000);
    deps.store.putClient({ ...deps.webApp, id: 21, clientId: 'other', useRefreshTokens: false });
    await deps.grant({ client_id: 'other' });
    const view = await accountOf(deps).show((await signIn(deps)).state);
    const shown = view?.applications.map(({ client, since, consented }) => [
      client.clientId,
      since - first,
      consented.scopes.length,
    ]);
    assert.deepEqual(shown, [
      ['other', 1000, 2],
      ['web-app', 0, 0],
    ]);
    deps.clock.advance(year);
    await deps.grant({ client_id: 'other' });
    const later = await accountOf(deps).show((await signIn(deps)).state);
    assert.deepEqual(
      later?.applications.map(({ since }) => since - first),
      [1000 + year],
    );
  });

  it('are withdrawn in the session that shows them, by the number of a client', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const browser = await signIn(deps);
    const view = await accountOf(deps).show(browser.state);
    const withdraw = (client: string) =>
      accountOf(deps).withdraw(submission({ auth_state: view?.authState ?? '', client }), browser.state);
    for (const client of ['', 'web-app', '-1', '1.5', '1234567890123456']) {
      await assert.rejects(withdraw(client), protocolError('invalid_request'), client);
    }
    deps.clock.advance(600_000);
    assert.ok(!(await withdraw(String(deps.webApp.id))));
    await deps.sessions.end(browser.state, { clientId: undefined, source: '192.0.2.7' });
    assert.ok(!(await withdraw(String(deps.webApp.id))));
    await signIn(deps, browser);
    assert.ok(!(await withdraw(String(deps.webApp.id))));
    assert.equal((await applications(deps, browser))?.length, 1);
  });

  it('lose a remembered consent at a withdrawal, also where no grant is left', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    deps.clock.advance(year);
    const browser = await signIn(deps);
    const view = await accountOf(deps).show(browser.state);
    const client = String(view?.applications[0]?.client.id);
    const form = submission({ auth_state: view?.authState ?? '', client });
    await accountOf(deps).withdraw(form, browser.state);
    assert.deepEqual(await applications(deps, browser), []);
    const asked = await deps.authorization.authorize(authorizationRequest(), browser.state);
    assert.equal(asked.type, 'consent');
  });

  it('are not those whose consent covers no scope', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const { consents } = deps.store;
    const subject = (await accountOf(deps).show((await signIn(deps)).state))?.owner.subject ?? '';
    const key = {
      owner: { identityProvider: 'test-login', name: 'emma' },
      subject,
      clientRecordId: deps.webApp.id,
      redirectUri: 'https://app.example/cb',
    };
    const { scopes, grantId = '' } = (await consents.find(key)) ?? {};
    assert.deepEqual(scopes, ['read', 'write']);
    await consents.save({ key, scopes: [], replaces: grantId, savedAt: deps.clock.now() }, grantId);
    deps.clock.advance(year);
    assert.deepEqual(await applications(deps, await signIn(deps)), []);
  });

  it('have only scopes that the client still has, and none of a client that was deleted', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    const browser = await signIn(deps);
    deps.store.putClient({ ...deps.webApp, scopes: ['read'] });
    const [found] = (await applications(deps, browser)) ?? [];
    assert.deepEqual([found?.scopes, found?.consentedScopes], [['read'], ['read']]);
    deps.store.putClient({ ...deps.webApp, resourceServerId: 99 });
    assert.deepEqual(await applications(deps, browser), []);
    await deps.store.clients.delete(deps.webApp.id);
    assert.deepEqual(await applications(deps, browser), []);
  });
});

const resource = 'https://stock.example';

/** A resource owner with tools: two of a vendor, one of a subdomain with the name of another vendor, and one that registered itself. */
async function withTools() {
  const deps = await flowDependencies();
  const home = { id: 9, key: openClientsKey, ownerAuthority: systemIdentityProvider, scopes: [] };
  deps.store.putResourceServer(buildResourceServer(home));
  const open = { openToClients: 'everyone', openScopes: ['read'], resources: [resource] } as const;
  deps.store.putResourceServer(buildResourceServer({ id: 2, key: 'stock', ...open }));
  const tools = [
    ['https://vendor.example/code', 'Code'],
    ['https://vendor.example/chat', 'Chat'],
    ['https://b\u00FCcher.vendor.example/x', 'vendor.example'],
    ['self-registered', 'vendor.example'],
  ] as const;
  const made = { ...deps.webApp, resourceServerId: 9, scopes: [], trusted: false };
  for (const [index, [clientId, clientName]] of tools.entries()) {
    // Nobody reads a document here.
    const client = deps.store.putClient({ ...made, id: 30 + index, clientId: 'tool', clientName });
    deps.clock.advance(1000);
    await deps.grant({ client_id: 'tool', resource, scope: 'read' });
    deps.store.putClient({ ...client, clientId });
  }
  await deps.grant();
  const browser = await signIn(deps);
  const vendors = async () => {
    const view = await accountOf(deps).show(browser.state);
    return view?.applications.map(({ client, vendor }) => [client.id, vendor]).sort();
  };
  const withdraw = async (selection: string) => {
    const { authState = '' } = (await accountOf(deps).show(browser.state)) ?? {};
    const form = submission({ auth_state: authState, tools: selection });
    return accountOf(deps).withdrawTools(form, browser.state);
  };
  return { deps, browser, vendors, withdraw };
}

describe('the tools of a resource owner', () => {
  const [code, chat] = [
    [30, 'vendor.example'],
    [31, 'vendor.example'],
  ];
  const [subdomain, self] = [
    [32, 'xn--bcher-kva.vendor.example'],
    [33, ''],
  ];
  const app = [10, undefined];

  it('have the whole host of their document as vendor, whatever they are called, and none if they registered themselves', async () => {
    const { deps, browser, vendors } = await withTools();
    assert.deepEqual(await vendors(), [app, code, chat, subdomain, self]);
    const view = await accountOf(deps).show(browser.state);
    const last = view?.applications.find(({ client }) => client.id === 31)?.lastAccess;
    assert.deepEqual(
      last?.others.map(({ resourceServer, scopes }) => [resourceServer.key, scopes]),
      [['stock', ['read']]],
    );
  });

  for (const [selection, left] of [
    ['at:vendor.example', [app, subdomain, self]],
    ['at:xn--bcher-kva.vendor.example', [app, code, chat, self]],
    ['registered', [app, code, chat, subdomain]],
    ['all', [app]],
    // None that forms say.
    ['', [app, code, chat, subdomain, self]],
    ['at:', [app, code, chat, subdomain, self]],
    ['at:VENDOR.example', [app, code, chat, subdomain, self]],
    ['vendor.example', [app, code, chat, subdomain, self]],
  ] as const) {
    it(`lose access by ${JSON.stringify(selection)}, with an entry of the log for each, and no other does`, async () => {
      const { deps, vendors, withdraw } = await withTools();
      assert.equal(await withdraw(selection), true);
      assert.deepEqual(await vendors(), left);
      const events = await deps.store.auditEvents.list({ limit: 99 });
      assert.equal(events.filter(({ action }) => action === 'withdraw').length, 5 - left.length);
    });
  }

  it('keep access if the form is of another login, or late', async () => {
    const { deps, browser } = await withTools();
    const { authState = '' } = (await accountOf(deps).show(browser.state)) ?? {};
    const form = submission({ auth_state: authState, tools: 'all' });
    const other = await signIn(deps);
    await assert.rejects(
      accountOf(deps).withdrawTools(form, other.state),
      protocolError('invalid_auth_state'),
    );
    deps.clock.advance(600_000);
    assert.equal(await accountOf(deps).withdrawTools(form, browser.state), false);
    const events = await deps.store.auditEvents.list({ limit: 99 });
    assert.deepEqual(
      events.filter(({ action }) => action === 'withdraw'),
      [],
    );
  });
});
