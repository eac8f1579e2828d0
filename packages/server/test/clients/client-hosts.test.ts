import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { purgeUnusedClients } from '@watchword/administration';
import { openClientsKey } from '@watchword/protocol';
import {
  afterPace,
  type DocumentSite,
  describedRequest,
  logInDescribed,
  startDocumentSite,
  toolDocuments,
} from '@watchword/server-testkit/clients/document-site';
import { watchword } from '@watchword/server-testkit/processes/process';
import {
  type Administering,
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { newClient, seededRandom } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

let site: DocumentSite;
let server: AdministrationServer;
let administrator: Administering;

before(async () => {
  site = await startDocumentSite();
  server = await startAdministration(site.settings);
  administrator = await server.administrator();
});

after(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const path = '/admin/clientHost';

const authorizeUrl = (clientId: string) => describedRequest(server, clientId);
const user = { username: 'emma', password: '{}' };
const open = (url: string, agent = new UserAgent()) => afterPace(() => agent.get(url));
const call = (...given: Parameters<Administering['call']>) => administrator.call(...given);

const logIn = (clientId: string) => logInDescribed(server, clientId);
const listed = async () => (await administrator.get('/admin/describedClient')).json;

describe('the clients that documents describe', () => {
  it('are listed with host and users, from their first consent until an administrator ends them', async () => {
    const clientId = site.serve('/listed.json', toolDocuments.opencode);
    assert.deepEqual(await listed(), []);
    const tokens = await logIn(clientId);
    const [record, ...others] = await listed();
    assert.deepEqual(others, []);
    const { id, resourceserver_id, lastIssued, ...rest } = record;
    assert.deepEqual(rest, {
      clientId,
      clientName: `OpenCode (${site.host})`,
      host: site.host,
      allowed: true,
      users: 1,
      scopes: ['openid', 'offline_access'],
      otherResourceServers: [],
    });
    const one = `/admin/resourceServer/${resourceserver_id}/client/${id}`;
    assert.equal((await call('DELETE', one)).status, 204);
    assert.deepEqual(await listed(), []);
    const refreshed = await server.post('/oauth2/token', {
      ...{ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: clientId },
    });
    assert.equal(refreshed.json.error, 'invalid_client');
    const again = await logIn(clientId);
    assert.ok(again.access_token, 'with another consent it is there again');
  });

  it('have the name, the redirect URIs and the grants of their document, and no others', async () => {
    await logIn(site.serve('/fixed.json', toolDocuments.opencode));
    const record = (await listed()).find(({ clientId }: { clientId: string }) =>
      clientId.endsWith('/fixed.json'),
    );
    const one = `/admin/resourceServer/${record.resourceserver_id}/client/${record.id}`;
    for (const change of [
      { clientName: 'Administration' },
      { redirectUris: ['https://evil.example/'] },
      { useRefreshTokens: false },
      { confidential: true },
    ]) {
      const { status, json } = await call('PATCH', one, change);
      assert.equal(status, 400, JSON.stringify(change));
      assert.match(JSON.stringify(json.violations), /follows the document at its clientId/);
    }
    assert.equal((await call('PATCH', one, { expireDuration: 60 })).status, 200);
  });
});

describe('the tools that nobody registered', () => {
  const ended = async (query: string) => {
    const { status, json } = await call('DELETE', `/admin/describedClient?${query}`);
    return status === 200 ? json.clients : status;
  };
  /** A tool that registered itself. */
  const registered = async (clientName: string) => {
    const { store } = server.service;
    const home = await store.resourceServers.find(openClientsKey);
    const client = { ...newClient(), clientName, resourceServerId: home?.id ?? 0 };
    return store.clients.create({ ...client, scopes: [], redirectUris: ['https://a.example/cb'] }, [
      clientName,
    ]);
  };

  it('are listed by host, those that registered themselves last and without one, however they are called', async () => {
    await logIn(site.serve('/z.json', { ...toolDocuments.opencode, client_name: 'Z' }));
    await registered(site.host);
    await logIn(site.serve('/a.json', { ...toolDocuments.opencode, client_name: 'A' }));
    const all = await listed();
    const hosts = all.map(({ host }: { host: string | null }) => host);
    assert.deepEqual(hosts, [...hosts.slice(0, -1).fill(site.host), null]);
    assert.equal(all.at(-1).clientName, site.host);
    const pages = [];
    for (let next = '/admin/describedClient?limit=1'; next !== ''; ) {
      const { json, headers } = await administrator.get(next);
      pages.push(...json);
      next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    }
    assert.deepEqual(pages, all);
    const found = async (query: string) =>
      (await administrator.get(`/admin/describedClient?${query}`)).json.length;
    assert.equal(await found(`host=${site.host}`), all.length - 1);
    assert.equal(await found('registered=true'), 1);
    assert.equal(await found('host=LOCALHOST'), 0);
    assert.equal(await found('q=z.json'), 1);
  });

  it('end by exactly one selection, all of a host or all, in the audit log, and no other tool with them', async () => {
    const tokens = await logIn(site.serve('/ending.json', toolDocuments.opencode));
    for (const query of [
      '',
      'host=',
      'all=false',
      'registered=false',
      'all=true&registered=true',
      'q=x',
      'all=1',
    ])
      assert.equal(await ended(query), 400, query);
    assert.equal(await ended('host=other.example'), 0);
    assert.equal(await ended('host=localhost'), 0, 'another port is another host');
    const before = (await listed()).length;
    assert.equal(await ended(`host=${site.host}`), before - 1);
    const info = await server.get('/oauth2/userinfo', { authorization: `Bearer ${tokens.access_token}` });
    assert.equal(info.status, 401);
    assert.equal((await listed()).length, 1, 'the one that registered itself');
    const { json } = await administrator.get('/admin/auditEvent?kind=changes&action=delete&limit=1');
    assert.equal(json[0].actor, 'root');
    await logIn(site.serve('/ending.json', toolDocuments.opencode));
    assert.equal(await ended('registered=true'), 1);
    const run = (...args: string[]) => watchword(['client-host', ...args, '--database', server.database]);
    assert.match((await run('end')).stderr, /a host, --registered or --all/);
    assert.match((await run('end', 'a.example', '--all')).stderr, /one of them/);
    assert.match((await run('end', '--all', '--yes')).stdout, /Ended 1 client, /);
    assert.deepEqual(await listed(), []);
    const ada = await server.person('ada');
    assert.equal((await ada.call('DELETE', '/admin/describedClient?all=true')).status, 403);
  });
});

describe('the tools of a user, at the account page', () => {
  const name = '\u202EClaude Code '.padEnd(300, 'x');
  const accountOf = async (username: string) => {
    const agent = new UserAgent();
    await agent.submit(await agent.get(`${server.baseUrl}/account`), { ...user, username });
    return { agent, page: await agent.get(`${server.baseUrl}/account`) };
  };
  const isValid = async ({ access_token }: { readonly access_token: string }) =>
    (await server.get('/oauth2/userinfo', { authorization: `Bearer ${access_token}` })).status === 200;

  it('stand under the host that is responsible, and all of a host lose access at once, with their tokens', async () => {
    const served = ['code', 'chat'].map((path) =>
      site.serve(`/tools/${path}.json`, { ...toolDocuments.opencode, client_name: `${name}${path}` }),
    );
    const tokens = [];
    for (const clientId of served) tokens.push(await logInDescribed(server, clientId, 'ida'));
    const others = await logInDescribed(server, served[0] ?? '', 'otto');
    const { agent, page } = await accountOf('ida');
    assert.match(page.html, new RegExp(`<h3 class="vendor"><bdi>${site.host}</bdi></h3>`));
    assert.match(page.text, /Last used: .* at \d+:\d\d/);
    assert.ok(!page.html.includes('\u202E'), 'the page has no sign that turns the direction of a text');
    const asked = await agent.get(
      `${server.baseUrl}/account/withdraw?tools=${encodeURIComponent(`at:${site.host}`)}`,
    );
    assert.match(asked.text, new RegExp(`Remove the access of all tools of ${site.host} \\?`));
    const [{ controls = [] } = {}] = asked.forms.filter(({ action }) => action.endsWith('/account'));
    const authState = controls.find((control) => control.name === 'auth_state')?.value ?? '';
    const forged = await agent.postFromElsewhere(`${server.baseUrl}/account`, {
      ...{ auth_state: authState, tools: 'all' },
    });
    assert.equal(forged.status, 403, 'a form of another site');
    assert.equal(await isValid(tokens[0]), true);
    const done = await agent.submit(asked, { tools: `at:${site.host}` });
    assert.match(done.text, /You removed the access of these tools/);
    assert.doesNotMatch(done.html, /class="vendor"/);
    for (const each of tokens) {
      assert.equal(await isValid(each), false, 'the access token');
      const refreshed = await server.post('/oauth2/token', {
        ...{ grant_type: 'refresh_token', refresh_token: each.refresh_token, client_id: served[0] ?? '' },
      });
      assert.equal(refreshed.json.error, 'invalid_grant');
    }
    assert.equal(await isValid(others), true, 'the token of another user');
    const again = await agent.get(`${server.baseUrl}/account/withdraw?tools=all`);
    assert.equal(again.url, `${server.baseUrl}/account`, 'nothing is left to ask for');
  });
});

describe('a user who consents to many made-up tools', () => {
  it('has room for so many at a time, and for so many new ones in an hour; others are not affected', async () => {
    await using small = await startAdministration({ ...site.settings, 'clients.toolsPerPerson': '2' });
    const [a, b, c] = ['a', 'b', 'c'].map((name) => site.serve(`/many/${name}.json`, toolDocuments.opencode));
    const ask = async (clientId = '', username = 'mia') => {
      const agent = new UserAgent();
      const login = await open(describedRequest(small, clientId), agent);
      const consent = await agent.submit(login, { ...user, username });
      const answer = await agent.submit(consent, { decision: 'allow' });
      return { agent, code: new URL(answer.location ?? 'x:').searchParams.get('code'), text: answer.text };
    };
    const { agent } = await ask(a);
    assert.ok((await ask(b)).code);
    assert.ok((await ask(a)).code, 'once more, of one that it has');
    const before = await small.service.store.clients.list({ limit: 100 });
    const refused = await ask(c);
    assert.equal(refused.code, null);
    assert.match(refused.text, /You have as many tools as you can/);
    assert.deepEqual(await small.service.store.clients.list({ limit: 100 }), before, 'nothing is stored');
    const asked = await agent.get(`${small.baseUrl}/account/withdraw?tools=all`);
    await agent.submit(asked, { tools: 'all' });
    assert.equal((await ask(c)).code, null, 'two new ones came within the hour');
    assert.ok((await ask(c, 'otto')).code);
    assert.ok((await ask(c)).code, 'it is not new any more');
  });
});

describe('the records of tools that nobody uses any more', () => {
  const dayMs = 86_400_000;
  const purge = (days: number, document = 7 * 86_400) =>
    purgeUnusedClients(
      {
        ...server.service.store,
        clock: { now: () => Date.now() + days * dayMs },
        random: seededRandom('purge'),
      },
      { document, neverUsed: 0, unused: 0 },
      new AbortController().signal,
    );

  it('go with an entry of the log, and never while a user has given them something', async () => {
    await call('DELETE', '/admin/describedClient?all=true');
    const [held, ended] = ['held', 'ended'].map((name) =>
      site.serve(`/unused/${name}.json`, toolDocuments.opencode),
    );
    await logInDescribed(server, held ?? '', 'pia');
    await logInDescribed(server, ended ?? '', 'pia');
    const clientIds = async () => (await listed()).map(({ clientId }: { clientId: string }) => clientId);
    const { subject } = (await administrator.get(`/admin/grant?clientId=${encodeURIComponent(ended ?? '')}`))
      .json[0];
    await call('DELETE', `/admin/grant?subject=${subject}&clientId=${encodeURIComponent(ended ?? '')}`);
    const counted = (await listed()).find(({ clientId }: { clientId: string }) => clientId === ended);
    assert.ok(counted.lastIssued > 0, 'the token is counted');
    assert.equal(await purge(6), 0, 'a token was issued less than seven days ago');
    assert.equal(await purge(8, 0), 0, 'without a limit');
    assert.equal(await purge(8), 1);
    assert.deepEqual(await clientIds(), [held]);
    const { json } = await administrator.get('/admin/auditEvent?kind=changes&action=delete&limit=1');
    assert.deepEqual([json[0].actor, json[0].recordName], ['watchword', ended]);
    assert.ok(
      (await logInDescribed(server, ended ?? '', 'pia')).access_token,
      'the next consent makes it again',
    );
    assert.equal(await purge(365), 2, 'once every grant has expired');
  });
});

describe('events of what a tool does for a user', () => {
  it('name the user and the tool, each kind of them', async () => {
    const clientId = site.serve('/acting.json', { ...toolDocuments.opencode, client_name: 'Acting' });
    const { id_token } = await logInDescribed(server, clientId, 'nora');
    const agent = new UserAgent();
    await followFlow(agent, authorizeUrl(clientId), { ...user, username: 'nora' });
    const hint = new URLSearchParams({ id_token_hint: id_token, client_id: clientId });
    await agent.get(`${server.baseUrl}/oauth2/logout?${hint}`);
    site.serve('/acting.json', { ...toolDocuments.opencode, client_name: 'Renamed' });
    const { json } = await administrator.get('/admin/auditEvent?actor=nora&limit=100');
    const of = ({ action, recordType, actor, clientId, clientName }: Record<string, string>) =>
      [action, recordType, actor, clientId, clientName].join(' ');
    const through = `nora ${clientId} Acting (${site.host})`;
    assert.deepEqual([...new Set(json.map(of))].toSorted(), [
      `create client ${through}`,
      `grant grant ${through}`,
      `login loginSession ${through}`,
      `logout loginSession ${through}`,
    ]);
    const { stdout } = await watchword(['audit', 'list', '--actor', 'nora', '--database', server.database]);
    assert.match(stdout, /grant +grant/);
    assert.match(stdout, new RegExp(`Acting \\(${site.host}\\)`));
  });
});

describe('the hosts of clients', () => {
  it('are blocked with all that users gave their clients, in the audit log, and allowed again', async () => {
    const clientId = site.serve('/blocked.json', toolDocuments.opencode);
    const tokens = await logIn(clientId);
    const blocked = await call('PUT', `${path}/localhost`, { effect: 'block', note: 'Phishing.' });
    assert.equal(blocked.status, 200, blocked.text);
    assert.ok(blocked.json.ended >= 1, blocked.text);
    assert.deepEqual(await listed(), []);
    const page = await open(authorizeUrl(clientId));
    assert.equal(page.status, 400);
    assert.match(page.text, /is not permitted here/);
    const info = await server.get('/oauth2/userinfo', { authorization: `Bearer ${tokens.access_token}` });
    assert.equal(info.status, 401);
    const list = await administrator.get(path);
    assert.deepEqual(
      list.json.map(({ modificationDate: _, ...rule }: Record<string, unknown>) => rule),
      [{ pattern: 'localhost', effect: 'block', note: 'Phishing.' }],
    );
    const { json: events } = await administrator.get('/admin/auditEvent?kind=changes&limit=20');
    const named = events.map(({ action, recordType, recordName }: Record<string, string>) =>
      [action, recordType, recordName].join(' '),
    );
    assert.ok(named.includes('create clientHost localhost'), named.join('\n'));
    assert.ok(named.includes(`delete client ${clientId}`), named.join('\n'));
    assert.equal((await call('DELETE', `${path}/localhost`)).status, 204);
    assert.ok((await logIn(clientId)).access_token);
  });

  it('are not blocked too late: a consent page that was open before gives nothing', async () => {
    const clientId = site.serve('/open-page.json', toolDocuments.opencode);
    const agent = new UserAgent();
    const login = await open(authorizeUrl(clientId), agent);
    const consent = await agent.submit(login, user);
    await call('PUT', `${path}/localhost`, { effect: 'block' });
    const answer = await agent.submit(consent, { decision: 'allow' });
    assert.equal(answer.status, 400);
    assert.match(answer.text, /is not permitted here/);
    assert.deepEqual(await listed(), []);
    await call('DELETE', `${path}/localhost`);
  });

  it('are patterns of host names, for administrators alone', async () => {
    for (const pattern of ['*', 'https%3A%2F%2Fa.example', 'a.example%2Fb', 'a%20b', '%2A.%2A.example']) {
      assert.equal((await call('PUT', `${path}/${pattern}`, { effect: 'block' })).status, 400, pattern);
    }
    for (const body of [{}, { effect: 'maybe' }, { effect: 'block', note: 'x'.repeat(1001) }]) {
      assert.equal((await call('PUT', `${path}/a.example`, body)).status, 400, JSON.stringify(body));
    }
    assert.equal((await call('DELETE', `${path}/a.example`)).status, 404);
    const international = await call('PUT', `${path}/*.B%C3%BCcher.example`, { effect: 'allow' });
    assert.equal(international.json.pattern, '*.xn--bcher-kva.example');
    await call('DELETE', `${path}/*.xn--bcher-kva.example`);
    const ada = await server.person('ada');
    for (const answer of [
      await ada.get(path),
      await ada.get('/admin/describedClient'),
      await ada.call('PUT', `${path}/a.example`, { effect: 'block' }),
      await ada.call('DELETE', `${path}/a.example`),
    ]) {
      assert.equal(answer.status, 403, answer.text);
    }
  });

  it('are decided on the command line too', async () => {
    await logIn(site.serve('/command.json', toolDocuments.opencode));
    const run = (...args: string[]) => watchword(['client-host', ...args, '--database', server.database]);
    const clients = await run('clients');
    assert.match(clients.stdout, new RegExp(`https://${site.host}/command\\.json +OpenCode`));
    const blocked = await run('block', 'localhost', '--yes');
    assert.match(blocked.stdout, /Blocked localhost, and ended \d+ clients?/, blocked.stderr);
    assert.match((await run('list')).stdout, /localhost +block/);
    assert.match((await run('remove', 'localhost', '--yes')).stdout, /Removed localhost/);
    assert.equal((await run('allow', 'https://a.example')).code, 1);
  });
});
