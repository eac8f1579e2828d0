import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { resourceServerDefaults } from '@watchword/administration';
import { clientDefaults } from '@watchword/protocol';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { postForm } from '@watchword/server-testkit/servers/server';
import { assertError } from '../support/error-answers.ts';

/** Answers have names of scopes alone. */
const { scopeDescriptions: _, ...namedDefaults } = resourceServerDefaults;

const list = '/admin/resourceServer';

describe('resource servers and clients over REST', () => {
  let server: AdministrationServer;
  let emma: Administering;
  let root: Administering;
  before(async () => {
    server = await startAdministration();
    emma = await server.person('emma');
    root = await server.administrator();
  });
  after(() => server[Symbol.asyncDispose]());

  it('are created with 201, a Location and a secret that no later answer has', async () => {
    const created = await emma.call('POST', list, { ...anApi, name: 'First' });
    assert.equal(created.status, 201, created.text);
    const { secret, ...record } = created.json;
    assert.match(secret, /^wws_/);
    assert.deepEqual(
      { ...record, id: 0 },
      {
        ...namedDefaults,
        id: 0,
        name: 'First',
        key: 'first',
        description: '',
        scopes: ['read', 'write'],
        contactName: 'Ann',
        contactEmail: '',
        thumbNailUrl: '',
        owner: 'emma',
        ownerAuthority: 'any-person',
        managedBy: '',
      },
    );
    assert.equal(created.headers.get('location'), `${list}/${record.id}`);
    const read = await emma.get(created.headers.get('location') ?? '');
    assert.deepEqual(read.json, record);
    assert.equal(read.headers.get('etag'), created.headers.get('etag'));

    const clients = `${list}/${record.id}/client`;
    const app = await emma.call('PUT', clients, { ...anApp, allowedClientCredentials: 1 });
    assert.equal(app.status, 201, app.text);
    const { secret: clientSecret, ...client } = app.json;
    assert.deepEqual(
      { ...client, id: 0 },
      {
        ...clientDefaults,
        id: 0,
        clientId: 'night-job',
        clientName: 'Night job',
        description: '',
        contactName: 'Ann',
        contactEmail: '',
        thumbNailUrl: '',
        resourceserver_id: record.id,
        scopes: ['read'],
        redirectUris: [],
        allowedClientCredentials: true,
        confidential: true,
        allowedImplicitGrant: false,
        useRefreshTokens: false,
        skipConsent: false,
        trusted: false,
        keepsUserData: false,
        managedBy: '',
        includePrincipal: false,
        expireDuration: 0,
        attributes: {},
      },
    );
    assert.deepEqual((await emma.get(app.headers.get('location') ?? '')).json, client);
    assert.deepEqual((await emma.get(clients)).json, [client]);

    // The new records are valid immediately.
    const issued = await postForm(
      server.baseUrl,
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      `night-job:${clientSecret}`,
    );
    const { access_token } = (await issued.json()) as { access_token: string };
    const info = await postForm(server.baseUrl, '/v1/tokeninfo', { access_token }, `first:${secret}`);
    assert.equal(info.status, 200);
  });

  it('have flags that are written as true, false, 1 or 0, and answered as true or false', async () => {
    const flags = [
      'confidential',
      'allowedClientCredentials',
      'useRefreshTokens',
      'skipConsent',
      'includePrincipal',
    ];
    const flagsOf = (record: Record<string, unknown>) => flags.map((name) => record[name]);
    const each = (value: unknown) => Object.fromEntries(flags.map((name) => [name, value]));
    const redirectUris = ['https://app.example/cb'];
    const { id } = await root.create(list, { ...anApi, name: 'Flags' });
    const clients = `${list}/${id}/client`;
    for (const [written, answered] of [
      [1, true],
      [true, true],
    ] as const) {
      const fields = { ...anApp, clientName: `Flags ${written}`, redirectUris, ...each(written) };
      const created = await root.call('POST', clients, fields);
      const path = created.headers.get('location') ?? '';
      const allTrue = flags.map(() => answered);
      assert.deepEqual(flagsOf(created.json), allTrue);
      assert.deepEqual(flagsOf((await root.get(path)).json), allTrue);
      const [listed] = (await root.get(`${clients}?q=flags`)).json.slice(-1);
      assert.deepEqual(flagsOf(listed), allTrue);
      const replaced = await root.call('PUT', path, { ...fields, ...each(written === 1 ? 0 : false) });
      const allFalse = flags.map(() => false);
      assert.deepEqual(flagsOf(replaced.json), allFalse, replaced.text);
      assert.deepEqual(flagsOf((await root.call('PATCH', path, { description: 'x' })).json), allFalse);
    }
    for (const wrong of [2, '1', 'true']) {
      assertError(await root.call('POST', clients, { ...anApp, skipConsent: wrong }), 400, 'invalid_request');
    }
  });

  it('are replaced by PUT and POST, where an absent field gets the value that it has in a new record', async () => {
    const { id } = await emma.create(list, { ...anApi, name: 'Replaced', description: 'x' });
    for (const method of ['PUT', 'POST']) {
      const replaced = await emma.call(method, `${list}/${id}`, { name: 'Replaced', contactName: method });
      assert.equal(replaced.status, 200, replaced.text);
      const { description, scopes, contactName } = replaced.json;
      assert.deepEqual(
        { description, scopes, contactName },
        { description: '', scopes: [], contactName: method },
      );
    }
  });

  it('are changed by PATCH, where an absent field stays, and null gives the value that the field has in a new record', async () => {
    const { id } = await emma.create(list, { ...anApi, name: 'Patched', description: 'x' });
    const patched = await emma.call('PATCH', `${list}/${id}`, { description: null, contactName: 'Bob' });
    const { name, description, contactName, scopes } = patched.json;
    assert.deepEqual(
      { name, description, contactName, scopes },
      { name: 'Patched', description: '', contactName: 'Bob', scopes: ['read', 'write'] },
    );
    const clients = `${list}/${id}/client`;
    const client = await emma.create(clients, { ...anApp, attributes: { a: '1', b: '2' } });
    const merged = await emma.call('PATCH', `${clients}/${client.id}`, { attributes: { b: null, c: '3' } });
    assert.deepEqual(merged.json.attributes, { a: '1', c: '3' });
    const cleared = await emma.call('PATCH', `${clients}/${client.id}`, { attributes: null });
    assert.deepEqual(cleared.json.attributes, {});
    assert.equal(cleared.json.clientName, 'Night job');
  });

  it('accept the type of a merge patch, and of JSON with a charset', async () => {
    const { id } = await emma.create(list, { ...anApi, name: 'Typed' });
    for (const type of ['application/merge-patch+json', 'application/json; charset=UTF-8']) {
      const headers = { 'content-type': type };
      assert.equal((await emma.call('PATCH', `${list}/${id}`, { description: type }, headers)).status, 200);
    }
  });

  it('keep the fields that only the server sets, with every body', async () => {
    const created = await emma.create(list, { ...anApi, name: 'Kept' });
    const { secret: _, ...record } = created;
    const forged = { id: 1, key: 'forged', secret: 'forged', owner: 'root', ownerAuthority: 'system' };
    const changed = await emma.call('PUT', `${list}/${record.id}`, { ...record, ...forged, name: 'Kept 2' });
    assert.deepEqual(changed.json, { ...record, name: 'Kept 2' });
  });

  it('report every violation at once, of kinds and of rules, and write nothing', async () => {
    const before = (await emma.get(list)).text;
    const answer = await emma.call('POST', list, {
      name: ' ',
      contactName: 5,
      contactEmail: 'nonsense',
      thumbNailUrl: 'ftp://x',
      scopes: ['a b'],
      descripton: 'red',
    });
    assertError(answer, 400, 'invalid_request');
    const fields = answer.json.violations.map((violation: string) => violation.split(':')[0]);
    assert.deepEqual(fields.toSorted(), [
      'contactEmail',
      'contactName',
      'descripton',
      'name',
      'scopes',
      'thumbNailUrl',
    ]);
    assert.equal((await emma.get(list)).text, before);
  });

  it('are answered 409 for a name that their owner has already, on update too; other owners can have it', async () => {
    await emma.create(list, { ...anApi, name: 'Unique' });
    assertError(await emma.call('POST', list, { ...anApi, name: 'Unique' }), 409, 'conflict');
    const { id } = await emma.create(list, { ...anApi, name: 'Other' });
    assertError(await emma.call('PATCH', `${list}/${id}`, { name: 'Unique' }), 409, 'conflict');
    assert.equal((await emma.get(`${list}/${id}`)).json.name, 'Other');
    const { key } = await root.create(list, { ...anApi, name: 'Unique' });
    assert.equal(key, 'unique2');
  });

  it('have the identifier that is chosen for them, which no other record has, and which never changes', async () => {
    const api = await emma.create(list, { ...anApi, name: 'Заказы', key: 'orders-2' });
    assert.equal(api.key, 'orders-2');
    const clients = `${list}/${api.id}/client`;
    const app = await emma.create(clients, { ...anApp, clientName: 'Ночь', clientId: 'night' });
    assert.equal(app.clientId, 'night');
    for (const [path, fields] of [
      [list, { ...anApi, name: 'Other API', key: 'orders-2' }],
      [clients, { ...anApp, clientName: 'Other app', clientId: 'night' }],
    ] as const) {
      assertError(await emma.call('POST', path, fields), 409, 'conflict');
    }
    for (const [chosen, violation] of [
      ['-a', /^key: must be 1 to 255 characters/],
      ['a\u200b', /^key: .*\(U\+200B at position 2\)$/],
      ['authorization-server-admin', /^key: belongs to the administration interface/],
      [5, /^key: /],
    ] as const) {
      const answer = await emma.call('POST', list, { ...anApi, name: ' ', key: chosen });
      assertError(answer, 400, 'invalid_request');
      assert.equal(answer.json.violations.length, 2);
      assert.match(
        answer.json.violations.find((each: string) => each.startsWith('key')),
        violation,
      );
    }
    for (const none of [null, '']) {
      const made = await emma.create(list, { ...anApi, name: `Made ${none}`, key: none });
      assert.equal(made.key, `made-${none ?? 'null'}`.replace(/-$/, ''));
    }
    const moved = await emma.call('PATCH', `${clients}/${app.id}`, { clientId: 'day', description: 'x' });
    assert.deepEqual([moved.json.clientId, moved.json.description], ['night', 'x']);
    const raced = await Promise.all(
      ['A', 'B', 'C'].map((name) => emma.call('POST', list, { ...anApi, name, key: 'raced' })),
    );
    assert.deepEqual(raced.map(({ status }) => status).toSorted(), [201, 409, 409]);
  });

  it('lose a scope together: when a resource server loses it, its clients and their tokens lose it too', async () => {
    const api = await emma.create(list, { ...anApi, name: 'Shrinking', scopes: ['a', 'ab', 'b'] });
    const clients = `${list}/${api.id}/client`;
    const both = await emma.create(clients, { ...anApp, clientName: 'Both', scopes: ['a', 'ab', 'b'] });
    const other = await emma.create(clients, { ...anApp, clientName: 'Other one', scopes: ['ab'] });
    const { token } = await emma.create('/admin/accessToken', { clientId: both.clientId });
    const revisionOf = async (id: number) => (await emma.get(`${clients}/${id}`)).headers.get('etag');
    const untouched = await revisionOf(other.id);

    await emma.call('PATCH', `${list}/${api.id}`, { scopes: ['ab', 'c'] });
    assert.deepEqual((await emma.get(`${clients}/${both.id}`)).json.scopes, ['ab']);
    assert.deepEqual((await emma.get(`${clients}/${other.id}`)).json.scopes, ['ab']);
    assert.equal(await revisionOf(other.id), untouched);
    const info = await postForm(
      server.baseUrl,
      '/v1/tokeninfo',
      { access_token: token },
      `${api.key}:${api.secret}`,
    );
    assert.deepEqual(((await info.json()) as { scopes: string[] }).scopes, ['ab']);
  });

  it('of a client that becomes public the secret is removed; confidential again, the client gets one by rotation', async () => {
    const { id } = await emma.create(list, { ...anApi, name: 'Turning' });
    const clients = `${list}/${id}/client`;
    const made = await emma.create(clients, {
      ...anApp,
      clientName: 'Turncoat',
      allowedClientCredentials: true,
    });
    const token = (secret: string) =>
      postForm(server.baseUrl, '/oauth2/token', { grant_type: 'client_credentials' }, `turncoat:${secret}`);
    assert.equal((await token(made.secret)).status, 200);
    const address = `${clients}/${made.id}`;
    const publicAgain = {
      allowedClientCredentials: false,
      allowedImplicitGrant: true,
      redirectUris: ['https://a.example/cb'],
    };
    assert.equal((await emma.call('PATCH', address, publicAgain)).json.secret, undefined);
    assertError(await emma.call('POST', `${address}/secret`), 400, 'invalid_request');
    const again = { confidential: true, allowedClientCredentials: true, allowedImplicitGrant: false };
    assert.equal((await emma.call('PATCH', address, again)).json.lacksSecret, true);
    assert.equal((await token(made.secret)).status, 401);
    const { json } = await emma.call('POST', `${address}/secret`);
    assert.equal((await token(json.secret)).status, 200);
  });

  it('get a new secret, and the old one is valid during the overlap only', async () => {
    const api = await emma.create(list, { ...anApi, name: 'Rotating' });
    const status = async (secret: string) =>
      (await postForm(server.baseUrl, '/v1/tokeninfo', { access_token: 'x' }, `rotating:${secret}`)).status;
    const first = await emma.call('POST', `${list}/${api.id}/secret`, { overlap: 3600 });
    assert.equal(first.status, 200, first.text);
    assert.deepEqual([await status(api.secret), await status(first.json.secret)], [404, 404]);
    const second = await emma.call('POST', `${list}/${api.id}/secret`);
    assert.deepEqual(
      [await status(api.secret), await status(first.json.secret), await status(second.json.secret)],
      [401, 401, 404],
    );
    assertError(await emma.call('POST', `${list}/${api.id}/secret`, { overlap: -1 }), 400, 'invalid_request');
    assertError(
      await emma.call('POST', `${list}/${api.id}/secret`, { overlap: 1e9 }),
      400,
      'invalid_request',
    );
  });

  it('have several secrets one by one, so that a client changes its secret without an outage', async () => {
    const api = await emma.create(list, { ...anApi, name: 'Changing' });
    const clients = `${list}/${api.id}/client`;
    const app = await emma.create(clients, {
      ...anApp,
      clientName: 'Changer',
      allowedClientCredentials: true,
    });
    const secrets = `${clients}/${app.id}/secrets`;
    const token = async (secret: string) => {
      const form = { grant_type: 'client_credentials' };
      return (await postForm(server.baseUrl, '/oauth2/token', form, `changer:${secret}`)).status;
    };
    const added = await emma.call('POST', secrets, { description: 'new server' });
    assert.equal(added.status, 201, added.text);
    const { secret, ...shown } = added.json;
    assert.match(secret, /^wws_/);
    assert.deepEqual([await token(app.secret), await token(secret)], [200, 200]);
    const listed = await emma.get(secrets);
    const [newest, first] = listed.json;
    assert.deepEqual({ ...newest, lastUsed: null }, shown);
    assert.deepEqual([first.id, newest.id, first.expires], [1, 2, 0]);
    for (const { creationDate, lastUsed } of [newest, first]) assert.ok(creationDate <= lastUsed);
    for (const text of [secret, app.secret]) {
      const digest = createHash('sha256').update(text).digest();
      for (const form of [
        text,
        digest.toString('hex'),
        digest.toString('base64url'),
        digest.toString('base64'),
      ])
        assert.ok(!listed.text.includes(form.slice(0, 12)));
    }
    assert.equal((await emma.call('DELETE', `${secrets}/1`)).status, 204);
    assert.deepEqual([await token(app.secret), await token(secret)], [401, 200]);
    assertError(await emma.call('DELETE', `${secrets}/2`), 409, 'conflict');
    assertError(await emma.call('DELETE', `${secrets}/2?last=yes`), 400, 'invalid_request');
    for (const expires of [-1, 1.5, 1, 8.64e15 + 1, null, '9'])
      assert.equal(
        (await emma.call('PATCH', `${secrets}/2`, { expires })).status,
        expires === null ? 200 : 400,
      );
    assert.equal((await emma.call('DELETE', `${secrets}/2?last=true`)).status, 204);
    assert.equal((await emma.get(`${clients}/${app.id}`)).json.lacksSecret, true);
    assert.equal(await token(secret), 401);
  });

  it('refuse a secret that has expired as a wrong one, and tell the owner alone since when', async () => {
    using clock = stoppedClock();
    const api = await emma.create(list, { ...anApi, name: 'Expiring' });
    const clients = `${list}/${api.id}/client`;
    const app = await emma.create(clients, {
      ...anApp,
      clientName: 'Expirer',
      allowedClientCredentials: true,
    });
    const secrets = `${clients}/${app.id}/secrets`;
    const token = (secret: string) =>
      postForm(server.baseUrl, '/oauth2/token', { grant_type: 'client_credentials' }, `expirer:${secret}`);
    const expires = Date.now() + 60_000;
    const state = async () => {
      const { health } = (await root.get(`${list}/stats`)).json;
      const { text } = await server.get('/metrics');
      const counted = /watchword_clients_with_expiring_secrets\{state="(\w+)"\} 1/.exec(text)?.[1];
      return [(await emma.get(`${clients}/${app.id}`)).json.secretExpires, health.expiringSecrets, counted];
    };
    assert.deepEqual(await state(), [undefined, { count: 0, first: null }, undefined]);
    const { json: made } = await emma.call('POST', secrets, { description: 'trial', expires });
    assert.equal((await token(made.secret)).status, 200);
    assert.equal((await emma.call('DELETE', `${secrets}/1`)).status, 204);
    const named = { id: app.id, clientName: 'Expirer', resourceserver_id: api.id, secretExpires: expires };
    assert.deepEqual(await state(), [expires, { count: 1, first: named }, 'soon']);
    clock.advance(60);
    assert.deepEqual(await state(), [expires, { count: 1, first: named }, 'expired']);
    const [expired, wrong] = [await token(made.secret), await token('wrong')];
    assert.deepEqual([expired.status, expired.text], [401, wrong.text]);
    const { json: errors } = await emma.get('/admin/requestError?clientId=expirer');
    const noted = errors.find(({ rule }: { rule: string }) => rule === 'expired_secret');
    const since = `the secret 2 (trial), which expired on ${new Date(expires).toISOString()}`;
    assert.equal(noted?.came, since);
    const change = await emma.call('PATCH', `${secrets}/${made.id}`, { expires: 0 });
    assert.deepEqual([change.status, change.json.expires], [200, 0]);
    assert.equal((await token(made.secret)).status, 200);
    assert.deepEqual(await state(), [undefined, { count: 0, first: null }, undefined]);
  });

  it('are deleted with 204, a resource server with its clients', async () => {
    const { id } = await emma.create(list, { ...anApi, name: 'Leaving' });
    const { id: clientId } = await emma.create(`${list}/${id}/client`, { ...anApp, clientName: 'Leaver' });
    const { id: other } = await emma.create(`${list}/${id}/client`, { ...anApp, clientName: 'Left' });
    assert.equal((await emma.call('DELETE', `${list}/${id}/client/${other}`)).status, 204);
    assertError(await emma.get(`${list}/${id}/client/${other}`), 404, 'not_found');
    const deleted = await emma.call('DELETE', `${list}/${id}`);
    assert.deepEqual([deleted.status, deleted.text], [204, '']);
    for (const path of [`${list}/${id}`, `${list}/${id}/client`, `${list}/${id}/client/${clientId}`]) {
      assertError(await emma.get(path), 404, 'not_found');
    }
  });

  it('are found by a part of a name, in upper or lower case', async () => {
    const { id } = await emma.create(list, { ...anApi, name: 'Größe-Maßstab', description: 'needle' });
    const names = async (path: string) =>
      (await emma.get(path)).json.map(({ name = '', clientName = '' }) => name || clientName);
    for (const q of ['GRÖSSE'.toLowerCase(), 'NEEDLE', 'maßSTAB']) {
      const expected = q === 'grösse' ? [] : ['Größe-Maßstab'];
      assert.deepEqual(await names(`${list}?q=${encodeURIComponent(q)}`), expected, q);
    }
    await emma.create(`${list}/${id}/client`, { ...anApp, clientName: 'Findable' });
    assert.deepEqual(await names(`${list}/${id}/client?q=FINDABLE`), ['Findable']);
    assert.deepEqual(await names(`${list}/${id}/client?q=nothing`), []);
  });

  it('are listed page by page, each once, along the Link header', async () => {
    const paul = await server.person('paul');
    const created: number[] = [];
    for (let index = 0; index < 7; index += 1) {
      created.push((await paul.create(list, { ...anApi, name: `Page ${index}` })).id);
    }
    const found: number[] = [];
    let path: string | undefined = `${list}?limit=3&q=page`;
    while (path !== undefined) {
      const { json, headers } = await paul.get(path);
      found.push(...json.map(({ id }: { id: number }) => id));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(found, created);
    assert.equal((await paul.get(`${list}?limit=7`)).headers.get('link'), null);
    assert.equal((await paul.get(list)).json.length, 7);
  });

  it('are counted exactly on the first page of a list without a search', async () => {
    await using server = await startAdministration();
    const root = await server.administrator();
    const emma = await server.person('emma');
    const api = await emma.create('/admin/resourceServer', anApi);
    await emma.create('/admin/resourceServer', { ...anApi, name: 'Empty' });
    const clients = `/admin/resourceServer/${api.id}/client`;
    for (const clientName of ['One', 'Two', 'Three']) await emma.create(clients, { ...anApp, clientName });
    const totalOf = async (caller: Administering, path: string) =>
      (await caller.get(path)).headers.get('x-total-count');
    assert.equal(await totalOf(emma, '/admin/resourceServer?limit=1'), '2');
    assert.equal(await totalOf(emma, '/admin/client?limit=1'), '3');
    assert.equal(await totalOf(emma, `${clients}?limit=1`), '3');
    assert.equal(await totalOf(root, '/admin/resourceServer'), '4');
    assert.equal(await totalOf(root, '/admin/client'), '7');
    const namesake = await server.person('emma', { identityProvider: 'elsewhere' });
    assert.equal(await totalOf(namesake, '/admin/client'), '0');
    assert.equal(await totalOf(namesake, `${clients}?limit=1`), null);
    assert.equal(await totalOf(emma, `${clients}?q=one`), null);
    const link = (await emma.get(`${clients}?limit=1`)).headers.get('link') ?? '';
    assert.equal(await totalOf(emma, /<([^>]+)>/.exec(link)?.[1] ?? ''), null);
  });

  it('are answered compressed for a caller who accepts it, from 2,000 characters of JSON on', async () => {
    for (let number = 0; number < 10; number += 1)
      await root.create(list, { ...anApi, name: `Many ${number}` });
    const accepting = { 'accept-encoding': 'gzip, br' };
    const { json } = await root.get(`${list}?limit=10`);
    const events = '/admin/auditEvent?limit=8';
    for (const large of [`${list}?limit=10`, events]) {
      const compressed = await root.call('GET', large, undefined, accepting);
      assert.equal(compressed.headers.get('content-encoding'), 'br', large);
      assert.equal(compressed.headers.get('vary'), 'Accept-Encoding');
      assert.deepEqual(compressed.json, (await root.get(large)).json);
    }
    const refusing = { 'accept-encoding': 'gzip, br;q=0' };
    const plain = await root.call('GET', `${list}?limit=10`, undefined, refusing);
    assert.equal(plain.headers.get('content-encoding'), null);
    for (const small of [`${list}/${json[0].id}`, `${list}?limit=1`]) {
      const whole = await root.call('GET', small, undefined, accepting);
      assert.equal(whole.headers.get('content-encoding'), null, small);
      assert.ok(whole.text.length < 2_000);
    }
  });

  it('follow the path of the base URL in Location and Link', async () => {
    await using below = await startAdministration({ baseUrl: 'http://localhost/auth' });
    const ben = await below.person('ben');
    const created = await ben.call('POST', list, anApi);
    assert.match(created.headers.get('location') ?? '', /^\/auth\/admin\/resourceServer\/\d+$/);
    await ben.create(list, { ...anApi, name: 'Second' });
    const { headers } = await ben.get(`${list}?limit=1`);
    assert.match(headers.get('link') ?? '', /^<\/auth\/admin\/resourceServer\?limit=1&cursor=/);
  });

  it('answer an id that cannot exist like one that does not exist, for every method', async () => {
    const { id: own } = await emma.create(list, { ...anApi, name: 'Ids' });
    const { json: document } = await server.get('/admin/openapi.json');
    const impossible = ['-1', '0', '00', '01', '1.5', '1e3', 'x', '%20', '9007199254740993', '9'.repeat(90)];
    // Each operation gets one of them, and each of them goes to many operations: all read an id in the same way.
    let turn = 0;
    for (const [path, operations] of Object.entries(document.paths as Record<string, object>)) {
      // Its id is a pattern, which the request chooses.
      if (path.startsWith('/admin/clientHost')) continue;
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      for (const name of names) {
        const absent = path.includes('accessToken') ? '0198aaaa-0000-7000-8000-000000000000' : '999999999';
        const at = (id: string) => path.replace(`{${name}}`, id).replaceAll(/\{\w+\}/g, String(own));
        let expected: unknown;
        for (const method of Object.keys(operations).map((method) => method.toUpperCase())) {
          const isRecord = !/secret$|revocation$/.test(path) && !['GET', 'DELETE'].includes(method);
          const fields = path.startsWith('/admin/right')
            ? { rights: ['audit:read'] }
            : { ...anApi, ...anApp };
          const body = isRecord ? fields : undefined;
          expected ??= (await root.call(method, at(absent), body)).json;
          const id = impossible[turn++ % impossible.length] ?? assert.fail();
          const { status, json } = await root.call(method, at(id), body);
          assert.deepEqual([status, json], [404, expected], `${method} ${at(id)}`);
        }
      }
    }
  });
});

describe('the caller', () => {
  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration();
  });
  after(() => server[Symbol.asyncDispose]());

  it('gets their principal, exactly as the authentication module returned it', async () => {
    const persona = { roles: ['staff'], groups: ['blue'], attributes: { DISPLAY_NAME: 'Emma' } };
    const emma = await server.person('emma', persona);
    assert.deepEqual((await emma.get('/admin/resourceServer/principal')).json, {
      name: 'emma',
      adminPrincipal: false,
      ...persona,
    });
    const robot = await server.actingClient('Robot');
    assert.deepEqual((await robot.get('/admin/resourceServer/principal')).json, {
      name: 'robot',
      roles: [],
      groups: [],
      adminPrincipal: false,
      attributes: {},
    });
  });

  it('that is a client owns the records that it created, under its clientId', async () => {
    const robot = await server.actingClient('Owner');
    const api = await robot.create(list, anApi);
    assert.equal(api.owner, 'owner');
    assert.deepEqual((await robot.get(list)).json.length, 1);
    const app = await robot.create(`${list}/${api.id}/client`, anApp);
    const issued = await robot.create('/admin/accessToken', { clientId: app.clientId });
    assert.deepEqual([issued.resourceOwnerId, issued.principal.name], ['night-job', 'night-job']);
    assert.equal((await robot.get(`/admin/accessToken/${issued.id}`)).status, 200);
    assert.equal((await robot.get(`/admin/accessToken?clientId=${app.clientId}`)).json.length, 1);
    assert.equal((await robot.get('/admin/accessToken')).json[0].clientId, 'owner');
  });
});
