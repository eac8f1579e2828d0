import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ClientRegistration, OAuthError, Violations } from '@watchword/protocol';
import {
  buildAdministrator,
  buildResourceServer,
  clientRegistration,
  memoryStore,
  protocolDependencies,
  resourceServerRegistration,
  seededRandom,
} from '@watchword/testkit';
import { clientAdministration } from '../../src/clients/clients.ts';
import type { ResourceServerRegistration } from '../../src/resource-servers/resource-server-rules.ts';
import { resourceServerAdministration } from '../../src/resource-servers/resource-servers.ts';

const caller = buildAdministrator();
const scopes = Array.from({ length: 101 }, (_, index) => `s${index}`);
const uris = Array.from({ length: 101 }, (_, index) => `https://a.example/${index}`);
const attributes = (count: number) => Object.fromEntries(scopes.slice(0, count).map((name) => [name, '']));

/** The fields that break a rule; none when the record is registered. */
async function violationsOf(register: Promise<unknown>): Promise<readonly string[]> {
  try {
    await register;
    return [];
  } catch (error) {
    assert.ok(error instanceof OAuthError && error.kind === 'invalid_request', String(error));
    return error.violations ?? [];
  }
}

async function brokenFields(register: Promise<unknown>): Promise<string[]> {
  return (await violationsOf(register)).map((violation) => violation.slice(0, violation.indexOf(':')));
}

function foundBy(violations: Violations): readonly string[] | undefined {
  try {
    violations.throwIfAny();
    return [];
  } catch (error) {
    return error instanceof OAuthError ? error.violations : undefined;
  }
}

function created(overrides: Partial<ClientRegistration>): Promise<unknown> {
  const { clock, store } = protocolDependencies();
  const admin = clientAdministration({ ...store, clock, random: seededRandom() });
  const { id } = store.putResourceServer(buildResourceServer({ scopes: ['read', 'write', ...scopes] }));
  return admin.create(caller, id, { fields: clientRegistration(overrides) });
}

function broken(overrides: Partial<ClientRegistration>): Promise<string[]> {
  return brokenFields(created(overrides));
}

function brokenServer(overrides: Partial<ResourceServerRegistration>): Promise<string[]> {
  const { clock } = protocolDependencies();
  const random = seededRandom();
  const admin = resourceServerAdministration({ ...memoryStore(), clock, random });
  return brokenFields(admin.create(caller, { fields: resourceServerRegistration(overrides) }));
}

describe('the rules of resource servers and clients', () => {
  const text = 'x'.repeat(2001);
  const url = `https://a.example/${'x'.repeat(2000)}`;
  const descriptive: [field: string, fine: string[], wrong: string[]][] = [
    ['description', ['', 'a\tb\nc', 'é✓😀'], [text, 'a\0b', 'a\u001bb', 'a\rb', 'a\u007f', '\ud800']],
    ['contactName', ['x'], ['', ' ', '\t', 'x'.repeat(256), 'a\0']],
    [
      'contactEmail',
      ['', 'a.b+c@d-e.example', 'a@localhost'],
      ['a', 'a@', '@b', 'a b@c', 'a@b@c', 'a@b..c', 'a@b\n', `${'a'.repeat(250)}@b.example`],
    ],
    [
      'thumbNailUrl',
      ['', 'http://a.example/x', 'HTTPS://a.example/'],
      [
        'javascript:x',
        'data:image/png,x',
        '//a.example',
        'ftp://a.example',
        'https://',
        'https://a b',
        'https://a\\b',
        url,
      ],
    ],
  ];
  for (const [field, fine, wrong] of descriptive) {
    it(`of ${field} hold for both`, async () => {
      for (const value of fine) {
        assert.deepEqual(await broken({ [field]: value }), [], value);
        assert.deepEqual(await brokenServer({ [field]: value }), [], value);
      }
      for (const value of wrong) {
        assert.deepEqual([...new Set(await broken({ [field]: value }))], [field], JSON.stringify(value));
        assert.deepEqual(
          [...new Set(await brokenServer({ [field]: value }))],
          [field],
          JSON.stringify(value),
        );
      }
    });
  }

  it('ask for a name of 1 to 255 characters', async () => {
    assert.deepEqual(await broken({ clientName: 'x'.repeat(255) }), []);
    assert.deepEqual(await brokenServer({ name: 'x'.repeat(255) }), []);
    for (const name of ['', '  ', '\u00a0', 'x'.repeat(256), 'a\0']) {
      assert.deepEqual([...new Set(await broken({ clientName: name }))], ['clientName'], name);
      assert.deepEqual([...new Set(await brokenServer({ name }))], ['name'], name);
    }
  });

  it('ask for at most 100 scopes, each a scope token of at most 255 characters', async () => {
    assert.deepEqual(await brokenServer({ scopes: scopes.slice(1) }), []);
    assert.deepEqual(await brokenServer({ scopes }), ['scopes']);
    assert.deepEqual(await brokenServer({ scopes: ['x'.repeat(255)] }), []);
    for (const scope of ['', ' ', 'a b', 'a"', 'a\\', 'é', 'x'.repeat(256), '\ud800']) {
      assert.deepEqual(await brokenServer({ scopes: ['read', scope] }), ['scopes'], scope);
    }
  });
});

describe('the rules of clients', () => {
  it('ask for scopes of the resource server', async () => {
    assert.deepEqual(await broken({ scopes: [] }), []);
    assert.deepEqual(await broken({ scopes: ['read'] }), []);
    assert.deepEqual(await broken({ scopes: ['read', 'admin', 'READ'] }), ['scopes', 'scopes']);
  });

  it('ask for at most 100 redirect URIs, each one that may be registered', async () => {
    assert.deepEqual(await broken({ redirectUris: uris.slice(1) }), []);
    assert.deepEqual(await broken({ redirectUris: uris }), ['redirectUris']);
    const redirectUris = ['https://a.example/cb', 'javascript:x', 'http://b.example'];
    assert.deepEqual(await broken({ redirectUris }), ['redirectUris', 'redirectUris']);
  });

  it('give client credentials to confidential clients only', async () => {
    const both = { allowedClientCredentials: true, allowedImplicitGrant: true };
    const redirectUris = ['https://a.example'];
    assert.deepEqual(await broken({ ...both, redirectUris }), ['allowedClientCredentials']);
    assert.deepEqual(await broken({ ...both, redirectUris, confidential: true }), [
      'confidential',
      'allowedClientCredentials',
    ]);
    assert.deepEqual(await broken({ allowedClientCredentials: true, confidential: false }), [
      'allowedClientCredentials',
    ]);
  });

  it('give the implicit grant to public clients only', async () => {
    const implicit = {
      allowedClientCredentials: false,
      allowedImplicitGrant: true,
      redirectUris: ['https://a.example'],
    };
    assert.deepEqual(await broken({ ...implicit, confidential: true }), ['confidential']);
    assert.deepEqual(await broken({ ...implicit, confidential: false }), []);
  });

  it('give the hybrid flow to confidential clients whose redirect URIs are all web addresses of others', async () => {
    const web = 'https://a.example/cb';
    const hybrid = { allowedHybrid: true, redirectUris: [web] };
    assert.deepEqual(await broken(hybrid), []);
    for (const uri of ['https://localhost/cb', 'http://127.0.0.1/cb', 'https://[::1]/cb', 'com.example:/cb'])
      assert.deepEqual(await broken({ ...hybrid, redirectUris: [web, uri] }), ['redirectUris'], uri);
    assert.deepEqual(await broken({ ...hybrid, redirectUris: [] }), ['redirectUris']);
    const isPublic = { confidential: false, allowedClientCredentials: false };
    assert.deepEqual(await broken({ ...hybrid, ...isPublic }), ['allowedHybrid']);
    const both = { ...hybrid, allowedClientCredentials: false, allowedImplicitGrant: true };
    assert.match((await violationsOf(created(both))).join(), /allowedHybrid: .*: allow one of them$/);
  });

  it('ask an implicit-grant client for a redirect URI', async () => {
    const implicit = { allowedClientCredentials: false, allowedImplicitGrant: true };
    assert.deepEqual(await broken({ ...implicit, redirectUris: [] }), ['redirectUris']);
    assert.deepEqual(await broken({ ...implicit, redirectUris: ['https://a.example'] }), []);
  });

  it('ask for a lifetime of whole seconds, at most a century', async () => {
    for (const expireDuration of [0, 1, 3_155_760_000])
      assert.deepEqual(await broken({ expireDuration }), []);
    for (const expireDuration of [-1, 0.5, Number.NaN, Infinity, 3_155_760_001, 2 ** 53]) {
      assert.deepEqual(await broken({ expireDuration }), ['expireDuration'], String(expireDuration));
    }
  });

  it('ask for at most 100 attributes of storable text', async () => {
    assert.deepEqual(await broken({ attributes: attributes(100) }), []);
    assert.deepEqual(await broken({ attributes: attributes(101) }), ['attributes']);
    for (const wrong of [{ a: 'x\0' }, { 'x\0': 'a' }, { a: 'x'.repeat(2001) }, { a: '\udfff' }]) {
      assert.deepEqual(await broken({ attributes: wrong }), ['attributes'], JSON.stringify(wrong));
    }
  });
});

describe('a scope with a comma, where requests separate scopes by commas', () => {
  const { clock, store } = protocolDependencies();
  const deps = { ...store, clock, random: seededRandom() };
  const scopeSyntax = { commaSeparated: true };
  const servers = resourceServerAdministration({ ...deps, scopeSyntax });
  const clients = clientAdministration({ ...deps, scopeSyntax });
  const old = store.putResourceServer(buildResourceServer({ scopes: ['old,scope', 'read'] }));

  it('is rejected of a resource server and of a client, when they are made and when they are changed', async () => {
    const fields = resourceServerRegistration({ name: 'New', scopes: ['a,b'] });
    assert.deepEqual(await brokenFields(servers.create(caller, { fields })), ['scopes']);
    const apply = (current: ResourceServerRegistration) => ({ ...current, scopes: ['a,b'] });
    assert.deepEqual(await brokenFields(servers.update(caller, old.id, { apply })), ['scopes']);
    const client = clientRegistration({ scopes: ['old,scope'] });
    assert.deepEqual(await brokenFields(clients.create(caller, old.id, { fields: client })), ['scopes']);
  });

  it('stays where it is already, and the record can be changed', async () => {
    const apply = (current: ResourceServerRegistration) => ({ ...current, description: 'x' });
    assert.deepEqual((await servers.update(caller, old.id, { apply })).resourceServer.scopes, [
      'old,scope',
      'read',
    ]);
  });

  it('is a scope like any other where they do not', async () => {
    assert.deepEqual(await brokenServer({ scopes: ['a,b'] }), []);
  });
});

describe('a registration that breaks many rules', () => {
  it('gets the first of them and the number of the others', async () => {
    const wrong = Array.from({ length: 1000 }, (_, index) => `"${index}`);
    const { clock, store } = protocolDependencies();
    const admin = resourceServerAdministration({ ...store, clock, random: seededRandom() });
    const create = admin.create(caller, { fields: resourceServerRegistration({ scopes: wrong }) });
    const error = await create.catch((thrown: unknown) => thrown);
    assert.ok(error instanceof OAuthError);
    assert.equal(error.violations?.length, 201);
    assert.equal(error.violations?.at(-1), 'and 801 more');
  });

  it('gets 200 without a number of others', () => {
    const violations = new Violations();
    violations.addAll(
      'scopes',
      Array.from({ length: 200 }, () => 'is wrong'),
    );
    assert.deepEqual(
      foundBy(violations),
      Array.from({ length: 200 }, () => 'scopes: is wrong'),
    );
  });

  it('gets one problem of a field whose value is of another kind, and those of the other fields', () => {
    const violations = new Violations([{ field: 'scopes', problem: 'is no list' }]);
    violations.add('scopes', 'is wrong');
    violations.add('name', 'is required');
    assert.deepEqual(foundBy(violations), ['scopes: is no list', 'name: is required']);
  });

  it('gets all of them at once, and nothing is written', async () => {
    const { clock, resourceServer, store } = protocolDependencies();
    const admin = clientAdministration({ ...store, clock, random: seededRandom() });
    const fields = clientRegistration({
      clientName: '',
      description: '\0',
      contactName: '',
      contactEmail: 'x',
      thumbNailUrl: 'x',
      scopes: ['admin', '"'],
      redirectUris: ['data:x'],
      allowedImplicitGrant: true,
      expireDuration: -1,
      attributes: { a: '\0' },
    });
    const broken = await brokenFields(admin.create(caller, resourceServer.id, { fields }));
    assert.deepEqual([...new Set(broken)].toSorted(), [
      'allowedClientCredentials',
      'attributes',
      'clientName',
      'contactEmail',
      'contactName',
      'description',
      'expireDuration',
      'redirectUris',
      'scopes',
      'thumbNailUrl',
    ]);
    assert.equal((await store.clients.list({ limit: 10 })).length, 1);
  });
});
