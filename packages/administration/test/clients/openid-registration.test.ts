import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ClientRegistration,
  OAuthError,
  type ResourceServer,
  type SectorDocument,
  type SigningAlgorithm,
} from '@watchword/protocol';
import {
  buildAdministrator,
  buildResourceServer,
  clientRegistration,
  protocolDependencies,
  resourceServerRegistration,
  seededRandom,
} from '@watchword/testkit';
import { clientAdministration } from '../../src/clients/clients.ts';
import { importRecords } from '../../src/import/import-records.ts';
import { resourceServerAdministration } from '../../src/resource-servers/resource-servers.ts';

const caller = buildAdministrator();
const redirectUris = ['https://a.example/cb', 'https://b.example/cb'];

interface Options {
  readonly algorithms?: readonly SigningAlgorithm[];
  /** By sector identifier URI. */
  readonly documents?: Readonly<Record<string, SectorDocument>>;
  readonly resourceServer?: Partial<ResourceServer>;
}

function administration({ algorithms, documents = {}, resourceServer }: Options = {}) {
  const { clock, store } = protocolDependencies();
  const read: string[] = [];
  const deps = {
    ...store,
    clock,
    random: seededRandom(),
    ...(algorithms && { algorithms }),
    sectorIdentifiers: {
      async read(uri: string) {
        read.push(uri);
        return documents[uri] ?? { problem: 'does not exist' };
      },
    },
  };
  const { id } = store.putResourceServer(
    buildResourceServer({ id: 7, key: 'own-api', name: 'Own API', ...resourceServer }),
  );
  const clients = clientAdministration(deps);
  return {
    deps,
    read,
    store,
    resourceServerId: id,
    clients,
    resourceServers: resourceServerAdministration(deps),
    create: async (fields: Partial<ClientRegistration>) =>
      (await clients.create(caller, id, { fields: clientRegistration(fields) })).client,
  };
}

async function rejection(promise: Promise<unknown>): Promise<OAuthError> {
  const error = await promise.then(
    () => assert.fail('nothing was rejected'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OAuthError, String(error));
  return error;
}

async function violations(promise: Promise<unknown>): Promise<readonly string[]> {
  const { kind, violations = [] } = await rejection(promise);
  assert.equal(kind, 'invalid_request');
  return violations;
}

/** Names of the fields that break a rule. */
async function broken(fields: Partial<ClientRegistration>, options?: Options): Promise<string[]> {
  const found = await violations(administration(options).create({ redirectUris, ...fields }));
  return found.map((violation) => violation.slice(0, violation.indexOf(':')));
}

describe('the fields of OpenID Connect of a client', () => {
  it('have the values that the standards name', async () => {
    const { create } = administration();
    const client = await create({
      redirectUris,
      openidScopes: ['email', 'offline_access', 'email'],
      postLogoutRedirectUris: ['https://a.example/bye', 'com.example.app:/bye'],
      idTokenSignedResponseAlg: 'EdDSA',
      backchannelLogoutUri: 'http://localhost:3000/logout',
      frontchannelLogoutUri: 'https://b.example/logout?x=1',
    });
    assert.deepEqual(client.openidScopes, ['email', 'offline_access']);
    assert.ok(!client.claimsInIdToken);
    assert.equal(client.subjectType, 'public');
    const wrong = {
      openidScopes: ['openid', 'email'],
      postLogoutRedirectUris: ['https://a.example/#x', 'http://a.example/'],
      subjectType: 'private',
      sectorIdentifierUri: 'http://localhost/sector',
      idTokenSignedResponseAlg: 'none',
      userinfoSignedResponseAlg: 'HS256',
      backchannelLogoutUri: 'http://a.example/logout',
      frontchannelLogoutUri: 'com.example.app:/logout',
    } as unknown as Partial<ClientRegistration>;
    assert.deepEqual([...new Set(await broken(wrong))].toSorted(), Object.keys(wrong).toSorted());
  });

  it('name the values that there are', async () => {
    const { create } = administration();
    const wrong = { subjectType: 'x' } as unknown as Partial<ClientRegistration>;
    assert.deepEqual(await violations(create(wrong)), [
      'subjectType: is "x", and must be one of: public, pairwise',
    ]);
  });

  it('have an https URL where one is needed, and none that only contains one', async () => {
    const sectorIdentifierUri = 'com.example.app:/https://a.example/';
    assert.ok((await broken({ sectorIdentifierUri })).includes('sectorIdentifierUri'));
    for (const uri of ['com.example.app:/https://a.example/', 'com.example.app:/http://localhost/']) {
      assert.deepEqual(await broken({ backchannelLogoutUri: uri }), ['backchannelLogoutUri'], uri);
    }
  });

  it('have a logout URI without fragment and user name', async () => {
    for (const uri of ['https://a.example/#f', 'https://u:p@a.example/', '/logout', 'https://a.example/*']) {
      assert.deepEqual(await broken({ backchannelLogoutUri: uri }), ['backchannelLogoutUri'], uri);
    }
  });

  it('have a front-channel logout URI at the scheme, host and port of a redirect URI', async () => {
    for (const uri of ['https://c.example/', 'https://a.example:8443/', 'http://localhost/']) {
      assert.deepEqual(await broken({ frontchannelLogoutUri: uri }), ['frontchannelLogoutUri'], uri);
    }
  });
});

describe('the algorithms of a client', () => {
  const algorithms = ['ES256', 'EdDSA'] as const;

  it('are those by which the server signs', async () => {
    const { create } = administration({ algorithms });
    assert.equal((await create({ idTokenSignedResponseAlg: 'ES256' })).idTokenSignedResponseAlg, 'ES256');
    assert.match(
      (await violations(create({ userinfoSignedResponseAlg: 'RS256' })))[0] ?? '',
      /^userinfoSignedResponseAlg: is RS256, .*empty or one of: ES256, EdDSA$/,
    );
  });

  it('stay where the server signed by them before, while other fields change', async () => {
    const { clients, resourceServerId, store } = administration({ algorithms });
    const client = store.putClient({
      ...(await administration().create({ idTokenSignedResponseAlg: 'PS256' })),
      resourceServerId,
      clientId: 'old',
    });
    const update = (change: Partial<ClientRegistration>) =>
      clients.update(caller, { resourceServerId, id: client.id }, { apply: () => change });
    assert.equal((await update({ description: 'x' })).client.idTokenSignedResponseAlg, 'PS256');
    assert.equal((await violations(update({ userinfoSignedResponseAlg: 'PS256' }))).length, 1);
  });
});

describe('a client with pairwise subjects', () => {
  const sectorIdentifierUri = 'https://sector.example/uris.json';
  const listing = (...uris: string[]) => ({ [sectorIdentifierUri]: { redirectUris: uris } });

  it('needs a sector identifier URI for redirect URIs of several hosts', async () => {
    const { create } = administration();
    const pairwise = { subjectType: 'pairwise' } as const;
    assert.deepEqual(await violations(create({ redirectUris, ...pairwise })), [
      'sectorIdentifierUri: is required: subjectType is pairwise, and the redirect URIs have several hosts: a.example, b.example',
    ]);
    const mixed = ['https://a.example/cb', 'com.example.app:/cb'];
    assert.equal((await violations(create({ redirectUris: mixed, ...pairwise }))).length, 1);
    const withoutHosts = ['http://localhost/cb', 'com.example.app:/cb'];
    assert.deepEqual(await violations(create({ redirectUris: withoutHosts, ...pairwise })), [
      'sectorIdentifierUri: is required: subjectType is pairwise, and the redirect URIs have several hosts: http:, com.example.app:',
    ]);
    // The host of a private-use scheme is none.
    const posing = ['https://a.example/cb', 'com.example.app://a.example/cb'];
    assert.equal((await violations(create({ redirectUris: posing, ...pairwise }))).length, 1);
    await create({ redirectUris: ['http://127.0.0.1/cb', 'http://[::1]/cb'], ...pairwise });
    await create({ redirectUris: ['https://a.example/1', 'https://a.example:8443/2'], ...pairwise });
    await create({ redirectUris: [], ...pairwise });
  });

  it('has a sector identifier document that lists all its redirect URIs', async () => {
    const all = administration({ documents: listing(...redirectUris, 'https://c.example/') });
    const client = await all.create({ redirectUris, subjectType: 'pairwise', sectorIdentifierUri });
    assert.equal(client.sectorIdentifierUri, sectorIdentifierUri);
    assert.deepEqual(all.read, [sectorIdentifierUri]);
    const one = administration({ documents: listing('https://a.example/cb') });
    assert.deepEqual(await violations(one.create({ redirectUris, sectorIdentifierUri })), [
      'sectorIdentifierUri: has a document that does not list the redirect URI "https://b.example/cb"',
    ]);
    assert.deepEqual(await violations(administration().create({ sectorIdentifierUri })), [
      'sectorIdentifierUri: does not exist',
    ]);
    assert.deepEqual(await one.store.clients.list({ limit: 9, resourceServerId: one.resourceServerId }), []);
  });

  it('has its document read when the URI or a redirect URI is added, and otherwise not', async () => {
    const { clients, create, read, resourceServerId } = administration({
      documents: listing(...redirectUris),
    });
    const { id } = await create({ redirectUris: ['https://a.example/cb'], sectorIdentifierUri });
    const update = (change: Partial<ClientRegistration>) =>
      clients.update(caller, { resourceServerId, id }, { apply: () => change });
    read.length = 0;
    await update({ description: 'x' });
    assert.deepEqual(read, []);
    await update({ redirectUris });
    assert.deepEqual(read, [sectorIdentifierUri]);
    await update({ redirectUris: ['https://b.example/cb'] });
    assert.deepEqual(read, [sectorIdentifierUri]);
    const moved = update({ sectorIdentifierUri: 'https://other.example/uris.json' });
    assert.deepEqual(await violations(moved), ['sectorIdentifierUri: does not exist']);
    read.length = 1;
    const other = update({ redirectUris: ['https://b.example/cb', 'https://c.example/cb'] });
    assert.equal((await violations(other)).length, 1);
  });

  it('has no document read while the registration breaks another rule', async () => {
    const { create, read } = administration({ documents: listing(...redirectUris) });
    const found = await violations(create({ redirectUris, sectorIdentifierUri, clientName: '' }));
    assert.deepEqual(found, ['clientName: is required']);
    assert.deepEqual(read, []);
  });

  it('can be imported, and its document is read before the import', async () => {
    const { deps, read, store } = administration({ documents: listing(...redirectUris) });
    const fields = { ...clientRegistration({ redirectUris, scopes: [] }), sectorIdentifierUri };
    const client = (changes: Partial<ClientRegistration>) => ({
      clientId: 'moved',
      secret: 'a-secret-of-16-characters',
      submitted: { apply: () => ({ ...fields, ...changes }) },
    });
    const run = async (changes: Partial<ClientRegistration> = {}) => {
      const { records } = await importRecords(
        caller,
        deps,
        [
          {
            key: 'moved-api',
            secret: 'a-secret-of-16-characters',
            owner: { identityProvider: '', name: 'operator' },
            submitted: { apply: () => resourceServerRegistration({ name: 'Moved' }) },
            clients: [client(changes)],
          },
        ],
        { isDryRun: false, weakSecrets: undefined },
      );
      return records.map(({ outcome, details }) => [outcome, ...details].join(' ')).at(-1);
    };
    assert.equal(await run(), 'created');
    assert.equal((await store.clients.find('moved'))?.sectorIdentifierUri, sectorIdentifierUri);
    assert.equal(await run(), 'unchanged');
    assert.deepEqual(read, [sectorIdentifierUri]);
    const more = [...redirectUris, 'https://c.example/cb'];
    assert.match((await run({ redirectUris: more })) ?? '', /^refused .*"https:\/\/c\.example\/cb"$/);
  });

  it('costs an owner a change for each request to its document', async () => {
    const { deps, read } = administration();
    const owner = { ...caller, isAdministrator: false };
    const limited = { records: 0, changesPerMinute: 2 };
    const clients = clientAdministration({ ...deps, ownerLimits: { person: limited, client: limited } });
    const { id } = deps.putResourceServer(
      buildResourceServer({
        owner: owner.identity.name,
        ownerAuthority: owner.identity.identityProvider,
        name: 'Own',
      }),
    );
    const fields = clientRegistration({ scopes: [], sectorIdentifierUri });
    const create = () => rejection(clients.create(owner, id, { fields }));
    for (const kind of ['invalid_request', 'too_many_changes', 'too_many_changes', 'too_many_changes']) {
      assert.equal((await create()).kind, kind);
    }
    assert.equal(read.length, 2);
  });
});

describe('a resource server with JWTs', () => {
  const jwt = { accessTokenFormat: 'jwt' } as const;

  it('has clients with an expireDuration from 1 to 86400', async () => {
    const { create } = administration({ resourceServer: jwt });
    for (const expireDuration of [1, 86_400]) await create({ expireDuration });
    for (const expireDuration of [0, 86_401]) {
      assert.deepEqual(await violations(create({ expireDuration })), [
        'expireDuration: must be 1 to 86400: the access tokens of the resource server are JWTs',
      ]);
    }
  });

  it('has clients with public subjects, because a client can read its tokens', async () => {
    const { clients, create, resourceServerId } = administration({ resourceServer: jwt });
    const refused = [
      'subjectType: must be public: the access tokens of the resource server are JWTs, in which the client could read the public sub of the user',
    ];
    assert.deepEqual(await violations(create({ expireDuration: 60, subjectType: 'pairwise' })), refused);
    const { id } = await create({ expireDuration: 60 });
    const change = clients.update(
      caller,
      { resourceServerId, id },
      { apply: () => ({ subjectType: 'pairwise' }) },
    );
    assert.deepEqual(await violations(change), refused);
  });

  it('cannot be made of one with other clients, which are all named', async () => {
    const { create, resourceServerId, resourceServers } = administration();
    await create({ clientName: 'Never', expireDuration: 0 });
    await create({ clientName: 'Long', expireDuration: 86_401 });
    await create({ clientName: 'Private', expireDuration: 60, subjectType: 'pairwise' });
    await create({ clientName: 'Fine', expireDuration: 60 });
    const change = () => resourceServers.update(caller, resourceServerId, { apply: () => jwt });
    const { kind, violations = [] } = await rejection(change());
    assert.equal(kind, 'conflict');
    assert.deepEqual(violations, [
      'accessTokenFormat: the client never has the expireDuration 0; set it to 1 to 86400 first',
      'accessTokenFormat: the client long has the expireDuration 86401; set it to 1 to 86400 first',
      'accessTokenFormat: the client private has pairwise subjects, and could read the public sub of its users in a JWT; set its subjectType to public first',
    ]);
  });

  it('cannot be made of one with a thousand clients of which the last cannot have them', async () => {
    const { create, resourceServerId, resourceServers, store } = administration();
    const client = await create({ expireDuration: 60 });
    for (let id = 1001; id <= 2000; id += 1) store.putClient({ ...client, id, clientId: `c${id}` });
    store.putClient({ ...client, id: 2001, clientId: 'last', expireDuration: 0 });
    const change = resourceServers.update(caller, resourceServerId, { apply: () => jwt });
    assert.deepEqual((await rejection(change)).violations, [
      'accessTokenFormat: the client last has the expireDuration 0; set it to 1 to 86400 first',
    ]);
  });

  it('can be made of one whose clients have such a lifetime, and changed back', async () => {
    const { create, resourceServerId, resourceServers } = administration();
    await create({ expireDuration: 60 });
    for (const accessTokenFormat of ['jwt', 'opaque'] as const) {
      const { resourceServer } = await resourceServers.update(caller, resourceServerId, {
        apply: () => ({ accessTokenFormat }),
      });
      assert.equal(resourceServer.accessTokenFormat, accessTokenFormat);
    }
  });
});

describe('a scope of OpenID Connect', () => {
  const names = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access', 'groups'];

  it('is refused as a new scope of a resource server', async () => {
    const { resourceServers } = administration();
    const fields = resourceServerRegistration({ name: 'New', scopes: [...names, 'OpenID', 'emails'] });
    const found = await violations(resourceServers.create(caller, { fields }));
    assert.deepEqual(
      found,
      names.map(
        (name) =>
          `scopes: "${name}" is a scope of OpenID Connect, which belongs to this server; choose another name`,
      ),
    );
  });

  it('stays where a resource server has it already, also of its clients', async () => {
    const { create, resourceServerId, resourceServers } = administration({
      resourceServer: { scopes: ['email', 'read'] },
    });
    const { resourceServer } = await resourceServers.update(caller, resourceServerId, {
      apply: () => ({ description: 'x', scopes: ['email', 'write'] }),
    });
    assert.deepEqual(resourceServer.scopes, ['email', 'write']);
    assert.deepEqual((await create({ scopes: ['email'] })).scopes, ['email']);
    const more = resourceServers.update(caller, resourceServerId, {
      apply: () => ({ scopes: ['email', 'phone'] }),
    });
    assert.equal((await violations(more)).length, 1);
  });
});
