import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertError } from '../support/error-answers.ts';

const list = '/admin/resourceServer';
const read = { name: 'read', description: 'Read your notes', descriptions: { nl: 'Uw notities lezen' } };

describe('descriptions of scopes over REST', () => {
  let server: AdministrationServer;
  let emma: Administering;
  let root: Administering;
  before(async () => {
    server = await startAdministration();
    emma = await server.person('emma');
    root = await server.administrator();
  });
  after(() => server[Symbol.asyncDispose]());

  let names = 0;
  /** A resource server of emma with a described scope. */
  const described = async () => {
    names += 1;
    const fields = { ...anApi, name: `Notes ${names}`, scopes: [read, 'write'] };
    const { id } = await emma.create(list, fields);
    const address = `${list}/${id}`;
    const scopes = async () => (await emma.get(`${address}?scopes=described`)).json.scopes;
    return { id, fields, address, scopes };
  };

  it('are submitted beside names, and answered only when they are asked for', async () => {
    const fields = { ...anApi, name: 'Asked', scopes: [read, 'write', { name: 'none', description: '' }] };
    const created = await emma.call('POST', list, fields);
    assert.deepEqual(created.json.scopes, ['read', 'write', 'none']);
    assert.ok(!('scopeDescriptions' in created.json));
    const address = `${list}/${created.json.id}`;
    assert.deepEqual((await emma.get(address)).json.scopes, ['read', 'write', 'none']);
    const expected = [read, { name: 'write' }, { name: 'none' }];
    assert.deepEqual((await emma.get(`${address}?scopes=described`)).json.scopes, expected);
    const [listed] = (await emma.get(`${list}?q=Asked&scopes=described`)).json;
    assert.deepEqual(listed.scopes, expected);
    const changed = await emma.call('PATCH', `${address}?scopes=described`, { description: 'x' });
    assert.deepEqual(changed.json.scopes, expected);
  });

  it('follow the list to its next page', async () => {
    await described();
    await described();
    const first = await emma.get(`${list}?limit=1&scopes=described`);
    const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];
    assert.equal(typeof (await emma.get(next)).json[0].scopes[0], 'object');
    assert.ok(Number(first.headers.get('x-total-count')) > 1);
  });

  it('stay with the scopes that remain, when a caller that knows names alone writes them back', async () => {
    const { fields, address, scopes } = await described();
    for (const method of ['PUT', 'POST', 'PATCH'] as const) {
      const { json } = await emma.call(method, address, { ...fields, scopes: ['write', 'new', 'read'] });
      assert.deepEqual(json.scopes, ['write', 'new', 'read']);
      assert.deepEqual(await scopes(), [{ name: 'write' }, { name: 'new' }, read]);
    }
    await emma.call('PATCH', address, { scopes: ['write'] });
    await emma.call('PATCH', address, { scopes: ['write', 'read'] });
    assert.deepEqual(await scopes(), [{ name: 'write' }, { name: 'read' }]);
  });

  it('are replaced as a whole by an object, and removed by one without them', async () => {
    const { address, scopes } = await described();
    const set = (scope: object) => emma.call('PATCH', address, { scopes: [scope] });
    await set({ name: 'read', descriptions: { 'PT-br': 'Ler', de: 'Lesen' } });
    assert.deepEqual(await scopes(), [{ name: 'read', descriptions: { de: 'Lesen', 'pt-BR': 'Ler' } }]);
    for (const empty of [{ description: null }, {}, { description: '', descriptions: null }]) {
      await set(read);
      assert.deepEqual(await scopes(), [read]);
      await set({ name: 'read', ...empty });
      assert.deepEqual(await scopes(), [{ name: 'read' }], JSON.stringify(empty));
    }
  });

  it('have limits, one line, and language tags', async () => {
    const { fields } = await described();
    const violations = async (scope: unknown) => {
      const answer = await emma.call('POST', list, { ...fields, name: 'Wrong', scopes: [scope] });
      assertError(answer, 400, 'invalid_request');
      return answer.json.violations as string[];
    };
    for (const [scope, expected] of [
      [{ name: 'a', description: 'x'.repeat(301) }, /^scopes: "a" has a description that is longer than 300/],
      [{ name: 'a', description: 'x\u0000' }, /^scopes: "a" .* control character/],
      [{ name: 'a', description: 'x\u202Ey' }, /^scopes: "a" .* turns the direction of text/],
      [{ name: 'a', descriptions: { nl: 'x\ny' } }, /^scopes: "a" .* a tab or a line break/],
      [{ name: 'a', description: 'x\u2028y' }, /^scopes: "a" .* a tab or a line break/],
      [{ name: 'a', description: ' ' }, /^scopes: "a" .* no visible character/],
      [{ name: 'a', descriptions: { nl: '\u3164\u200C' } }, /^scopes: "a" .* no visible character/],
      [
        { name: 'a', descriptions: { 'not a tag': 'x' } },
        /^scopes: "a" .* "not a tag", which is not a language/,
      ],
      [
        { name: 'a', descriptions: JSON.parse('{"__proto__": "x"}') },
        /^scopes: "a" .* "__proto__", which is/,
      ],
      [{ name: 'a b', description: 'x' }, /^scopes: "a b" is not a scope token/],
      [{ name: 'a', colour: 'red' }, /^scopes: expected a list of scopes, each a text or an object/],
      [{ description: 'x' }, /^scopes: expected a list of scopes/],
      [7, /^scopes: expected a list of scopes/],
    ] as const) {
      const [violation = ''] = await violations(scope);
      assert.match(violation, expected);
    }
    const long = Array.from({ length: 40 }, (_, index) => ({
      name: `s${index}`,
      descriptions: Object.fromEntries(['de', 'fr', 'nl'].map((tag) => [tag, 'x'.repeat(300)])),
    }));
    const many = await emma.call('POST', list, { ...fields, name: 'Many', scopes: long });
    assert.match(
      many.json.violations[0],
      /^scopes: have descriptions of 36240 bytes together, more than 32768/,
    );
  });

  it('rejects another value of the parameter, and changes nothing', async () => {
    const { address } = await described();
    assertError(await emma.get(`${address}?scopes=all`), 400, 'invalid_request');
    const refused = await emma.call('PATCH', `${address}?scopes=all`, { description: 'changed' });
    assertError(refused, 400, 'invalid_request');
    assert.equal((await emma.get(address)).json.description, '');
  });

  it('end the trust in clients with the scope when their owner changes them, and are in the audit log', async () => {
    const { address, fields } = await described();
    const { id } = await emma.create(`${address}/client`, { ...anApp, scopes: ['read'] });
    const other = await emma.create(`${address}/client`, { ...anApp, scopes: ['write'] });
    const trusted = async (client: number) => (await root.get(`${address}/client/${client}`)).json.trusted;
    for (const client of [id, other.id]) await root.call('POST', `${address}/client/${client}/confirmation`);
    const scopes = [{ ...read, description: 'Read nothing' }, 'write'];

    await emma.call('PUT', address, { ...fields, scopes: ['write', 'read'] });
    assert.equal(await trusted(id), true);
    await root.call('PATCH', address, { scopes });
    assert.equal(await trusted(id), true);
    const { json } = await emma.call('PATCH', address, { scopes: [read, 'write'] });
    assert.equal(json.resetClients.length, 1);
    assert.deepEqual([await trusted(id), await trusted(other.id)], [false, true]);

    const [, event] = (await root.get('/admin/auditEvent?limit=2')).json;
    assert.deepEqual(event.after, { scopeDescriptions: [read] });
    assert.deepEqual(event.before.scopeDescriptions[0].description, 'Read nothing');
  });

  it('of the administration interface are there in each language of the pages, and cannot be changed', async () => {
    const [{ id, scopes }] = (await root.get(`${list}?q=authorization-server-admin&scopes=described`)).json;
    for (const { description, descriptions } of scopes) {
      assert.deepEqual([typeof description, Object.keys(descriptions)], ['string', ['de', 'nl']]);
    }
    const changed = await root.call('PATCH', `${list}/${id}`, { scopes: [read, 'write'] });
    assert.match(changed.json.violations[0], /^scopes: cannot be changed/);
    assert.equal((await root.call('PATCH', `${list}/${id}`, { scopes: ['read', 'write'] })).status, 200);
  });
});

describe('descriptions of scopes on pages', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  it('are shown for consent and on the account page, in the language of the page', async () => {
    const { resourceServer } = await registerResourceServer(server, 'Notes API');
    await server.service.store.resourceServers.update(resourceServer.id, {
      scopeDescriptions: [
        { name: 'read', description: 'Read <b>your</b> notes', descriptions: { nl: 'Uw notities lezen' } },
        { name: 'write', descriptions: { nl: 'Notities schrijven' } },
      ],
    });
    await server.service.store.refreshRegistry();
    const app = await registerApplication(server, {}, resourceServer.key);
    for (const [language, reading] of [
      ['en', 'Read &lt;b&gt;your&lt;/b&gt; notes'],
      ['nl-BE', 'Uw notities lezen'],
      ['de', 'Read &lt;b&gt;your&lt;/b&gt; notes'],
    ]) {
      const agent = new UserAgent({ 'accept-language': language ?? '' });
      const user = { username: `user-${language}`, password: 'x' };
      const consent = await agent.submit(await app.open({}, agent), user);
      assert.ok(consent.html.includes(`<bdi>${reading}</bdi>`), consent.html);
      const isForeign = language !== 'nl-BE';
      assert.equal(/ lang="nl"><bdi>Notities schrijven<\/bdi>/.test(consent.html), isForeign, consent.html);
      await agent.submit(consent, { decision: 'allow' });
      const account = await agent.get(`${server.baseUrl}/account`);
      assert.ok(account.html.includes(`<bdi>${reading}</bdi>`), account.html);
    }
  });

  it('are those of the administration interface when an administrator signs in', async () => {
    const agent = new UserAgent({ 'accept-language': 'de' });
    const parameters = new URLSearchParams({
      response_type: 'token',
      client_id: 'authorization-server-admin-js-client',
      redirect_uri: `${server.service.baseUrl}/client/client.html`,
    });
    const login = await agent.get(`${server.baseUrl}/authorize?${parameters}`);
    const consent = await agent.submit(login, { username: 'x', password: 'x' });
    assert.match(consent.text, /Ihre APIs, Anwendungen und Zugriffstokens ansehen/);
  });
});
