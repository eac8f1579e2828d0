import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MachineSecret, OAuthError, secretMatches, withNewSecret } from '@watchword/protocol';
import {
  addClient,
  addResourceServer,
  buildAdministrator,
  buildCaller,
  protocolDependencies,
  seededRandom,
} from '@watchword/testkit';
import { commandLineCaller } from '../../src/callers/caller.ts';
import { clientAdministration } from '../../src/clients/clients.ts';
import type { ApplyOptions } from '../../src/configuration/applying.ts';
import { configurationAdministration } from '../../src/configuration/configurations.ts';
import { driftInWords, driftReader } from '../../src/configuration/drift.ts';
import { resourceServerAdministration } from '../../src/resource-servers/resource-servers.ts';

const secret = 'a secret that nobody guesses';
const api = { key: 'api', name: 'API', contactName: 'Ann', secret, scopes: ['read', 'write'] };
const app = {
  clientId: 'app',
  resourceServer: 'api',
  clientName: 'App',
  contactName: 'Ann',
  secret,
  scopes: ['read'],
};

function documentOf(resourceServers: readonly object[], clients: readonly object[] = []) {
  return { version: 1, name: 'shop', resourceServers, clients };
}

function server() {
  const parts = protocolDependencies();
  const { clock, store } = parts;
  const deps = { ...store, clock, random: seededRandom('configuration') };
  const configurations = configurationAdministration(deps);
  const tool = commandLineCaller('ann');
  const apply = (document: unknown, options: Partial<ApplyOptions> = {}, caller = tool) =>
    configurations.apply(caller, document, {
      ...{ isDryRun: false, keepsRemoved: false, allowsDeletions: false, overlap: 0, ...options },
    });
  return {
    ...{ store, clock, configurations, tool, apply },
    clients: clientAdministration(deps),
    resourceServers: resourceServerAdministration(deps),
    /** Each change as its action, its name and its fields. */
    async changes(...given: Parameters<typeof apply>) {
      const plan = await apply(...given);
      return plan.changes.map(({ action, name, fields }) =>
        [action, name, ...fields.map(({ field }) => field)].join(' '),
      );
    },
    async refused(...given: Parameters<typeof apply>): Promise<string> {
      const error = await apply(...given).then(
        () => assert.fail('expected a refusal, got a plan'),
        (refusal: unknown) => refusal,
      );
      assert.ok(error instanceof OAuthError, String(error));
      return (error.violations ?? [error.message]).join('\n');
    },
  };
}

async function rejected(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('expected an error, got none'),
    (refusal: unknown) => refusal,
  );
  assert.ok(error instanceof OAuthError, String(error));
  return `${error.kind}: ${error.message}`;
}

describe('a configuration', () => {
  it('makes its records what it says, and nothing the second time', async () => {
    const { changes, store, apply, configurations, tool } = server();
    const others = [{ key: 'later', scopes: ['read'] }];
    const later = { ...api, key: 'later', name: 'Later' };
    const both = documentOf(
      [api, later],
      [
        { ...app, otherResourceServers: others },
        {
          ...app,
          clientId: 'loop',
          resourceServer: 'later',
          otherResourceServers: [{ key: 'api', scopes: ['write'] }],
        },
      ],
    );
    const planned = await changes(both, { isDryRun: true });
    assert.deepEqual(await store.resourceServers.find('api'), undefined);
    assert.deepEqual(await changes(both), planned);
    assert.deepEqual(
      planned.map((each) => each.split(' ').slice(0, 2).join(' ')),
      ['create api', 'create later', 'create app', 'create loop'],
    );
    const events = (await store.auditEvents.list({ limit: 50 })).length;
    assert.deepEqual(await apply(both), { name: 'shop', changes: [], unchanged: 4 });
    assert.equal((await store.auditEvents.list({ limit: 50 })).length, events);
    const client = await store.clients.find('app');
    const used = await store.resourceServers.find('later');
    assert.deepEqual(client?.otherResourceServers, [{ resourceServerId: used?.id, scopes: ['read'] }]);
    assert.deepEqual([client?.managedBy, client?.trusted], ['shop', true]);
    assert.ok(secretMatches(client?.secret, secret, 0));
    assert.deepEqual(
      (await configurations.list(tool)).map(({ name, records }) => [name, records]),
      [['shop', 4]],
    );
  });

  it('gives a field that it leaves out its default, and keeps a secret that it leaves out', async () => {
    const { changes, store } = server();
    await changes(documentOf([{ ...api, description: 'Orders.' }], [{ ...app, useRefreshTokens: true }]));
    const { secret: _, ...without } = app;
    assert.deepEqual(await changes(documentOf([api], [without])), [
      'change api description',
      'change app useRefreshTokens',
    ]);
    assert.ok(secretMatches((await store.clients.find('app'))?.secret, secret, 0));
    const other = { ...app, secret: `${secret} 2` };
    assert.deepEqual(await changes(documentOf([api], [other]), { overlap: 60 }), ['change app secret']);
    const client = await store.clients.find('app');
    for (const each of [secret, `${secret} 2`]) assert.ok(secretMatches(client?.secret, each, 0), each);
    assert.deepEqual(await changes(documentOf([api], [other])), []);
  });

  it('takes over a record that was made by hand, and lets it go or deletes it when it has it no more', async () => {
    const { changes, store } = server();
    const home = await addResourceServer(store, 'api', { contactName: 'Ann', name: 'API' });
    await addClient(store, 'app', home, { clientName: 'Old', trusted: false });
    const { secret: _, ...mine } = app;
    const one = documentOf([], [mine]);
    assert.match(String(await changes(one)), /^takeOver app clientName .*trusted$/);
    const none = documentOf([]);
    assert.deepEqual(await changes(none, { keepsRemoved: true }), ['letGo app']);
    assert.equal((await store.clients.find('app'))?.managedBy, '');
    assert.deepEqual(await changes(one), ['takeOver app']);
    assert.deepEqual(await changes(none, { allowsDeletions: true }), ['delete app']);
    assert.equal(await store.clients.find('app'), undefined);
    assert.ok(await store.resourceServers.find('api'));
    assert.deepEqual(await store.configurations.list(), []);
  });

  it('leaves a client that it takes over the secret that it names, and no other one', async () => {
    const { changes, store, clock } = server();
    const home = await addResourceServer(store, 'api', { contactName: 'Ann', name: 'API' });
    const { id } = await addClient(store, 'app', home);
    const add = async (text: string, before?: MachineSecret) => {
      const stored = withNewSecret(text, { description: '', expires: 0 }, before, clock.now());
      await store.clients.replaceSecret(id, stored);
      return stored;
    };
    const isValid = async (text: string) =>
      secretMatches((await store.clients.findById(id))?.secret, text, clock.now());
    for (const overlap of [0, 60]) {
      await add('a back door of before', await add(secret));
      assert.match(String(await changes(documentOf([], [app]), { overlap })), /^takeOver app .*secret/);
      assert.deepEqual([await isValid(secret), await isValid('a back door of before')], [true, overlap > 0]);
      clock.advance(60_000);
      assert.deepEqual(await changes(documentOf([], [app])), []);
      assert.deepEqual([await isValid(secret), await isValid('a back door of before')], [true, false]);
      await changes(documentOf([]), { keepsRemoved: true });
    }
  });

  it('is alone to change its records; nobody else changes, deletes or confirms one', async () => {
    const { apply, clients, resourceServers, store } = server();
    await apply(documentOf([api], [app]));
    const root = buildAdministrator();
    const { id } = (await store.resourceServers.find('api')) ?? assert.fail('not found');
    const address = { resourceServerId: id, id: (await store.clients.find('app'))?.id ?? 0 };
    const edit = { apply: () => ({ description: 'x' }) };
    for (const change of [
      () => clients.update(root, address, edit),
      () => clients.delete(root, address),
      () => clients.confirm(root, address),
      () => clients.rotateSecret(root, address, 0),
      () => resourceServers.update(root, id, edit),
      () => resourceServers.delete(root, id),
      () => resourceServers.rotateSecret(root, id, 0),
      () => resourceServers.changeOwner(root, id, { name: 'eve', identityProvider: 'password' }),
    ]) {
      assert.match(await rejected(change()), /^managed_record: The configuration shop manages this record/);
    }
    await clients.revokeTokens(root, address);
    assert.deepEqual((await apply(documentOf([api], [app]))).changes, []);
  });

  it('does not let a resource server go by hand with a client that it manages, nor one with clients made by hand', async () => {
    const { apply, refused, resourceServers, store } = server();
    const home = await addResourceServer(store, 'api');
    await apply(documentOf([], [app]));
    assert.match(await rejected(resourceServers.delete(buildAdministrator(), home.id)), /^managed_record/);
    await apply(documentOf([{ ...api, key: 'own' }], [app]));
    const own = (await store.resourceServers.find('own')) ?? assert.fail('not found');
    await addClient(store, 'by-hand', own);
    assert.match(
      await refused(documentOf([], [app])),
      /"own" is not in the file any more, and cannot be deleted: 1 clients/,
    );
    assert.ok(await store.clients.find('by-hand'));
  });

  it('deletes many records, more than half or all of them only if that is allowed', async () => {
    const { apply, refused, store } = server();
    const many = Array.from({ length: 30 }, (_, index) => ({ ...app, clientId: `app-${index}` }));
    await apply(documentOf([api], many));
    assert.match(
      await refused(documentOf([api], many.slice(11))),
      /^\/: the file has 11 of 31 records no more/,
    );
    assert.match(await refused(documentOf([])), /^\/: the file has no record/);
    assert.equal((await apply(documentOf([api], many.slice(10)))).changes.length, 10);
    await apply(documentOf([api], many.slice(26)), { allowsDeletions: true });
    assert.equal((await store.clients.listManaged()).length, 4);
  });

  it('changes a record that another one manages never', async () => {
    const { apply, refused } = server();
    await apply(documentOf([api], [app]));
    const theirs = { ...documentOf([api], [app]), name: 'office' };
    assert.deepEqual((await refused(theirs)).match(/The configuration shop manages this record/g)?.length, 1);
    const ofTheirs = { ...documentOf([], [{ ...app, clientId: 'other' }, app]), name: 'office' };
    assert.match(await refused(ofTheirs), /^\/clients\/1: The configuration shop manages this record/);
    assert.deepEqual((await apply(documentOf([api], [app]))).changes, []);
  });

  it('is told from what other nodes, owners of APIs and backups have made of its records', async () => {
    const { apply, store } = server();
    const read = driftReader(store);
    const drift = async () => (await read()).map(({ records, example }) => [records, example]);
    assert.deepEqual(await drift(), []);
    await apply(documentOf([api], [app, { ...app, clientId: 'other' }]));
    assert.deepEqual(await drift(), [[0, undefined]]);
    const client = (await store.clients.find('app')) ?? assert.fail('not found');
    await store.clients.revokeTokens(client.id, 5);
    assert.deepEqual(await drift(), [[0, undefined]]);
    await store.clients.update(client.id, { redirectUris: ['https://evil.example/'] });
    assert.deepEqual(await drift(), [[1, { recordType: 'client', name: 'app' }]]);
    const other = (await store.clients.find('other')) ?? assert.fail('not found');
    await store.clients.delete(other.id);
    assert.deepEqual(await drift(), [[2, { recordType: 'client', name: 'app' }]]);
    assert.match(
      String(driftInWords(await read())),
      /^2 records of the configuration shop are not as it was applied, such as the client app/,
    );
    const { changes } = await apply(documentOf([api], [app, { ...app, clientId: 'other' }]));
    assert.deepEqual(
      changes.map(({ action, name }) => `${action} ${name}`),
      ['change app', 'create other'],
    );
    assert.deepEqual(await drift(), [[0, undefined]]);
  });

  it('also says which records made by hand change with it', async () => {
    const { apply, changes, store } = server();
    await apply(documentOf([api]));
    const home = (await store.resourceServers.find('api')) ?? assert.fail('not found');
    await addClient(store, 'by-hand', home, { scopes: ['read', 'write'] });
    assert.deepEqual(await changes(documentOf([{ ...api, scopes: ['read'] }])), [
      'change api scopes',
      'follow by-hand scopes',
    ]);
  });

  it('sets owners at the command line alone, and no caller without the right applies it', async () => {
    const { apply, refused, store } = server();
    const root = { ...buildAdministrator(), access: { tokenId: 't', scopes: [], expires: 0 } };
    await apply(documentOf([{ ...api, owner: 'emma', ownerAuthority: 'password' }]));
    assert.equal((await store.resourceServers.find('api'))?.owner, 'emma');
    assert.match(
      await refused(documentOf([{ ...api, owner: 'x', ownerAuthority: 'system' }])),
      /ownerAuthority: belongs to the server/,
    );
    assert.match(await rejected(apply(documentOf([api]), {}, root)), /^invalid_token/);
    assert.match(await rejected(apply(documentOf([api]), {}, buildCaller())), /^access_denied/);
  });
});

describe('a configuration is refused as a whole, with the place of each problem,', () => {
  const refusals: readonly (readonly [what: string, document: unknown, expected: RegExp])[] = [
    ['no object', 'text', /^\/: expected an object/],
    [
      'another version',
      { ...documentOf([]), version: 2 },
      /^\/version: expected 1, .* got 2: another release/,
    ],
    ['no name', { version: 1 }, /^\/name: expected a name/],
    [
      'an unknown member',
      { ...documentOf([]), client: [] },
      /^\/client: client is unknown here; did you mean clients\?/,
    ],
    ['no list', { ...documentOf([]), clients: {} }, /^\/clients: expected a list/],
    ['a record without name', documentOf([{}]), /^\/resourceServers\/0: key is required/],
    [
      'an unknown field',
      documentOf([{ ...api, scope: [] }]),
      /^\/resourceServers\/0\/scope: scope is not a field of this record; did you mean scopes\?/,
    ],
    [
      'a wrong type',
      documentOf([{ ...api, scopes: 'read' }]),
      /^\/resourceServers\/0\/scopes: scopes expected a list/,
    ],
    [
      'a field of the server',
      documentOf([api], [{ ...app, trusted: true }]),
      /^\/clients\/0\/trusted: trusted is set by the server/,
    ],
    [
      'a record twice',
      documentOf([api], [app, app]),
      /^\/clients\/1\/clientId: "app" is here twice: clients\/0/,
    ],
    ['an unknown home', documentOf([], [app]), /^\/clients\/0\/resourceServer: .*"api" is no key/],
    [
      'an unknown other',
      documentOf([api], [{ ...app, otherResourceServers: [{ key: 'x', scopes: [] }] }]),
      /^\/clients\/0\/otherResourceServers: .*"x" is no key/,
    ],
    [
      'a built-in home',
      documentOf([], [{ ...app, resourceServer: 'authorization-server-admin' }]),
      /is no key/,
    ],
    [
      'a built-in record',
      documentOf([{ ...api, key: 'authorization-server-admin' }]),
      /^\/resourceServers\/0\/key: .*belongs to/,
    ],
    [
      'a name of clients that register themselves',
      documentOf([api], [{ ...app, clientId: 'registered.app' }]),
      /^\/clients\/0\/clientId: .*choose another one/,
    ],
    [
      'a weak secret',
      documentOf([api], [{ ...app, secret: 'short' }]),
      /^\/clients\/0\/secret: .*fewer than 16/,
    ],
    [
      'a secret that is a number, which is not repeated',
      documentOf([api], [{ ...app, secret: 123_456_789_012_345 }]),
      /^\/clients\/0\/secret: secret is not a text$/,
    ],
    [
      'no secret',
      documentOf([api], [{ ...app, secret: undefined }]),
      /^\/clients\/0: secret: is required for a new record|^\/clients\/0\/secret: secret: is required/,
    ],
    [
      'a secret of a public client',
      documentOf([api], [{ ...app, confidential: false }]),
      /a public client has no secret/,
    ],
    [
      'a broken rule',
      documentOf([api], [{ ...app, scopes: ['fly'] }]),
      /^\/clients\/0\/scopes: scopes: "fly" is not a scope/,
    ],
  ];
  for (const [what, document, expected] of refusals) {
    it(`for ${what}`, async () => {
      const { refused, store } = server();
      assert.match(await refused(document), expected);
      assert.deepEqual(await store.auditEvents.list({ limit: 1 }), []);
    });
  }
});
