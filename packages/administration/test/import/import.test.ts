import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  administrationClientId,
  administrationKey,
  isWeakSecret,
  type MalformedField,
  profileChecks,
  type SectorIdentifiers,
  secretMatches,
  slowHashes,
  storedSecret,
  type Transact,
  type TransactionStores,
} from '@watchword/protocol';
import {
  buildAdministrator,
  buildResourceServer,
  clientRegistration,
  protocolDependencies,
  resourceServerRegistration,
  seededRandom,
} from '@watchword/testkit';
import { importRecords } from '../../src/import/import-records.ts';
import type { ImportedClient, ImportedResourceServer } from '../../src/import/imported-record.ts';

const strong = 'a secret of another server';
const weak = 'weak';
const owner = { identityProvider: 'password', name: 'emma' };

interface Given<Fields> {
  readonly secret?: string | undefined;
  readonly fields?: Partial<Fields>;
  readonly malformed?: readonly MalformedField[];
}

function ofClient(
  clientId: string,
  {
    fields = {},
    malformed,
    othersByKey,
    ...given
  }: Given<ReturnType<typeof clientRegistration>> & Pick<ImportedClient, 'othersByKey'> = {},
): ImportedClient {
  const secret = 'secret' in given ? given.secret : strong;
  const apply = () => ({ ...clientRegistration(), ...fields });
  const submitted = { apply, ...(malformed && { malformed }) };
  return { clientId, secret, submitted, ...(othersByKey && { othersByKey }) };
}

function ofServer(
  key: string,
  clients: readonly ImportedClient[] = [],
  {
    fields = {},
    malformed,
    ...given
  }: Given<ReturnType<typeof resourceServerRegistration>> & {
    readonly owner?: typeof owner;
  } = {},
): ImportedResourceServer {
  const secret = 'secret' in given ? given.secret : strong;
  const apply = () => ({ ...resourceServerRegistration(), name: key, ...fields });
  const submitted = { apply, ...(malformed && { malformed }) };
  return { key, secret, owner: given.owner ?? owner, submitted, clients };
}

function server(around = (transact: Transact): Transact => transact) {
  const deps = protocolDependencies();
  const { clock, store } = deps;
  const random = seededRandom('import');
  const administration = { ...store, clock, random, transact: around(store.transact) };
  return {
    ...deps,
    async run(
      given: readonly ImportedResourceServer[],
      options: {
        isDryRun?: boolean;
        takesWeak?: boolean;
        sectorIdentifiers?: SectorIdentifiers;
        onRecord?: (done: number) => void;
        profile?: ReturnType<typeof profileChecks>;
      } = {},
    ) {
      const { sectorIdentifiers, onRecord, profile } = options;
      const parts = { ...administration, profile, ...(sectorIdentifiers && { sectorIdentifiers }) };
      const { isStored, records } = await importRecords(buildAdministrator(), parts, given, {
        isDryRun: options.isDryRun ?? false,
        weakSecrets: options.takesWeak === true ? deps.passwords : undefined,
        onRecord,
      });
      return { isStored, records: records.map(({ name, outcome, details }) => [name, outcome, ...details]) };
    },
  };
}

describe('an import', () => {
  it('creates records with their names, owners and secrets, and changes nothing the second time', async () => {
    const { run, store } = server();
    const given = [ofServer('api', [ofClient('app')])];
    const expected = (outcome: string) => ({
      isStored: true,
      records: [
        ['api', outcome],
        ['app', outcome],
      ],
    });
    assert.deepEqual(await run(given), expected('created'));
    const created = await store.resourceServers.find('api');
    const client = await store.clients.find('app');
    assert.deepEqual([created?.owner, created?.ownerAuthority], ['emma', 'password']);
    assert.equal(client?.resourceServerId, created?.id);
    assert.ok(secretMatches(created?.secret, strong, 0) && secretMatches(client?.secret, strong, 0));
    assert.deepEqual(await run(given), expected('unchanged'));
    assert.equal((await store.clients.find('app'))?.revision, client?.revision);
  });

  it('lets a client use resource servers by their keys, also one that comes later', async () => {
    const { run, store } = server();
    const othersByKey = ['later', 'earlier'].map((key) => ({ key, scopes: ['read'] }));
    const given = [
      ofServer('earlier'),
      ofServer('api', [ofClient('app', { othersByKey })]),
      ofServer('later'),
    ];
    const { records } = await run(given);
    assert.deepEqual(
      records.map(([name, outcome]) => [name, outcome]),
      ['earlier', 'api', 'app', 'later'].map((name) => [name, 'created']),
    );
    const others = (await store.clients.find('app'))?.otherResourceServers ?? [];
    const found = await Promise.all(
      others.map(async ({ resourceServerId: id, scopes }) => [
        (await store.resourceServers.findById(id))?.key,
        scopes,
      ]),
    );
    assert.deepEqual(found.toSorted(), [
      ['earlier', ['read']],
      ['later', ['read']],
    ]);
    const again = await run(given);
    assert.ok(
      again.records.every(([, outcome]) => outcome === 'unchanged'),
      JSON.stringify(again),
    );
    const unknown = [{ key: 'typo', scopes: ['read'] }];
    const refused = await run([ofServer('api', [ofClient('app', { othersByKey: unknown })])]);
    assert.match(
      String(refused.records[1]),
      /app,refused,otherResourceServers: name "typo", which is no key/,
    );
  });

  it('refuses what the profile of the server forbids with its rule, stores nothing, and changes no other field of what was there before', async () => {
    const { run, store } = server();
    const implicit = {
      ...{ allowedImplicitGrant: true, allowedClientCredentials: false, confidential: false },
      redirectUris: ['https://app.example/cb'],
    };
    const profile = profileChecks('oauth-2.1');
    const given = [
      ofServer('api', [ofClient('app', { fields: implicit, secret: undefined }), ofClient('fine')]),
    ];
    const { isStored, records } = await run(given, { profile });
    assert.deepEqual(
      [isStored, records.map(([name, outcome]) => `${name} ${outcome}`)],
      [false, ['api created', 'app refused', 'fine created']],
    );
    assert.match(
      String(records[1]),
      /allowedImplicitGrant.*\(profile oauth-2\.1, profile_code_flow: OAuth 2\.1 /,
    );
    assert.equal(await store.clients.find('fine'), undefined);
    // Of before the profile.
    const before = await run(given);
    assert.ok(before.isStored, JSON.stringify(before.records));
    const renamed = { ...implicit, clientName: 'Renamed' };
    const later = await run([ofServer('api', [ofClient('app', { fields: renamed, secret: undefined })])], {
      profile,
    });
    assert.deepEqual([later.isStored, (await store.clients.find('app'))?.clientName], [true, 'Renamed']);
    const other = ofServer('api', [ofClient('other', { fields: implicit, secret: undefined })]);
    assert.equal((await run([other], { profile })).isStored, false);
  });

  it('tells how many records it has seen, also of those that it refuses', async () => {
    const { run } = server();
    const seen: number[] = [];
    const onRecord = (done: number) => void seen.push(done);
    await run([ofServer('api', [ofClient('a:b'), ofClient('app')])], { onRecord });
    assert.deepEqual(seen, [1, 2, 3]);
  });

  it('refuses a resource server whose owner has another one of its name', async () => {
    const { run } = server();
    await run([ofServer('api')]);
    const { records } = await run([ofServer('api-2', [], { fields: { name: 'api' } })]);
    assert.deepEqual(records, [
      ['api-2', 'refused', 'The owner has a resource server of this name already; choose another name.'],
    ]);
  });

  it('ends with a failure of the database, which is no reason to refuse a record', async () => {
    const failing = (change: (stores: TransactionStores) => Partial<TransactionStores>) => {
      const { run } = server((transact) => (work) => {
        return transact((stores) => work({ ...stores, ...change(stores) }));
      });
      return run;
    };
    const fail = async () => {
      throw new Error('the disk is full');
    };
    const given = [ofServer('api', [ofClient('app')])];
    await assert.rejects(
      failing(({ auditEvents }) => ({ auditEvents: { ...auditEvents, append: fail } }))(given),
      /disk is full/,
    );
    await assert.rejects(server(() => fail).run(given), /disk is full/);
    let isFull = false;
    const run = failing(({ clients }) => ({
      clients: { ...clients, list: async (page) => (isFull ? fail() : clients.list(page)) },
    }));
    await run(given);
    isFull = true;
    const withJwts = ofServer('api', [], { fields: { accessTokenFormat: 'jwt' } });
    await assert.rejects(run([withJwts]), /disk is full/);
  });

  it('reads ten documents of sectors at a time, and none that it does not name', async () => {
    const { run, store } = server();
    const reading = { now: 0, most: 0, all: 0 };
    const redirectUris = ['https://a.example/cb'];
    const sectorIdentifiers: SectorIdentifiers = {
      async read() {
        reading.now += 1;
        reading.all += 1;
        reading.most = Math.max(reading.most, reading.now);
        await new Promise((resolve) => setImmediate(resolve));
        reading.now -= 1;
        return { redirectUris };
      },
    };
    const withSector = (index: number) => {
      const sectorIdentifierUri = `https://sector.example/${index}`;
      return ofClient(`app-${index}`, { fields: { redirectUris, sectorIdentifierUri } });
    };
    const clients = Array.from({ length: 12 }, (_, index) => withSector(index));
    const refused = await run([ofServer('api', clients.slice(0, 1))]);
    assert.deepEqual(refused.records[1]?.slice(0, 2), ['app-0', 'refused']);
    assert.ok((await run([ofServer('api', clients)], { sectorIdentifiers })).isStored);
    assert.deepEqual(reading, { now: 0, most: 10, all: 12 });
    const apply = () => ({ redirectUris: ['https://b.example/cb'] });
    const unnamed = { clientId: 'app-0', secret: strong, submitted: { apply } };
    const { records } = await run([ofServer('api', [unnamed])], { sectorIdentifiers });
    assert.match(String(records[1]?.[2]), /must be in the import too/);
    assert.equal(reading.all, 12);
    assert.deepEqual((await store.clients.find('app-0'))?.redirectUris, redirectUris);
  });

  it('stores nothing with a dry run, and reports the same', async () => {
    const { run, store } = server();
    const given = [ofServer('api', [ofClient('app')])];
    assert.deepEqual(await run(given, { isDryRun: true }), {
      isStored: false,
      records: [
        ['api', 'created'],
        ['app', 'created'],
      ],
    });
    assert.equal(await store.resourceServers.find('api'), undefined);
  });

  it('that takes secrets that can be guessed takes public clients without one too', async () => {
    const { run, store } = server();
    const fields = {
      confidential: false,
      allowedClientCredentials: false,
      redirectUris: ['https://a.example/cb'],
    };
    const given = [
      ofServer('api', [ofClient('public', { fields, secret: undefined }), ofClient('app', { secret: weak })]),
    ];
    assert.ok((await run(given, { takesWeak: true })).isStored);
    assert.equal((await store.clients.find('public'))?.secret, undefined);
    assert.ok(isWeakSecret((await store.clients.find('app'))?.secret));
    assert.ok(!isWeakSecret((await store.resourceServers.find('api'))?.secret));
  });

  it('changes fields, and names them', async () => {
    const { run, store } = server();
    await run([ofServer('api', [ofClient('app')])]);
    const changed = [
      ofServer('api', [ofClient('app', { fields: { expireDuration: 77 } })], {
        fields: { description: 'new' },
      }),
    ];
    assert.deepEqual((await run(changed)).records, [
      ['api', 'changed', 'description'],
      ['app', 'changed', 'expireDuration'],
    ]);
    assert.equal((await store.clients.find('app'))?.expireDuration, 77);
  });

  it('stores nothing when one record is refused, and says why for each', async () => {
    const { run, store } = server();
    const publicClient = {
      confidential: false,
      allowedClientCredentials: false,
      redirectUris: ['https://a.example/cb'],
    };
    const signer = {
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwksUri: 'https://a.example/jwks',
    } as const;
    const malformed = [{ field: 'scopes', problem: 'must be a list' }];
    const { isStored, records } = await run([
      ofServer('api', [
        ofClient('fine'),
        ofClient('fine'),
        ofClient('a:b'),
        ofClient('secretless', { secret: undefined }),
        ofClient('short', { secret: weak }),
        ofClient('strange', { secret: 'é'.repeat(20) }),
        ofClient('public', { fields: publicClient, secret: undefined }),
        ofClient('public-2', { fields: publicClient }),
        ofClient('signer', { fields: signer, secret: undefined }),
        ofClient('signer-2', { fields: signer }),
        ofClient('unreadable', { malformed }),
        ofClient(administrationClientId),
      ]),
      ofServer('secretless', [ofClient('orphan')], { secret: undefined }),
      ofServer(administrationKey),
      ofServer('unreadable', [], { malformed }),
    ]);
    assert.ok(!isStored);
    const reserved = ': belongs to the administration interface of this server';
    assert.deepEqual(
      records.map(([name, outcome, first = '']) => [name, outcome, first.replace(/ \(.*/, '')]),
      [
        ['api', 'created', ''],
        ['fine', 'created', ''],
        ['fine', 'refused', 'is in the import twice'],
        ['a:b', 'refused', 'clientId: must be 1 to 255 visible ASCII characters without colon'],
        ['secretless', 'refused', 'secret: is required'],
        ['short', 'refused', records[5]?.[2] ?? ''],
        ['strange', 'refused', 'secret: must be 1 to 255 ASCII characters'],
        ['public', 'created', ''],
        ['public-2', 'refused', 'secret: must be left out: a public client has no secret'],
        ['signer', 'created', ''],
        ['signer-2', 'refused', 'secret: must be left out: a client with assertions has no secret'],
        ['unreadable', 'refused', 'scopes: must be a list'],
        [administrationClientId, 'refused', `clientId${reserved}`],
        ['secretless', 'refused', 'secret: is required'],
        ['orphan', 'refused', 'its resource server was refused'],
        [administrationKey, 'refused', `key${reserved}`],
        ['unreadable', 'refused', 'scopes: must be a list'],
      ],
    );
    assert.match(String(records[5]?.[2]), /^secret: /);
    assert.equal(await store.clients.find('fine'), undefined);
  });

  it('refuses a field that cannot be read also of a record that it would not change', async () => {
    const { run } = server();
    await run([ofServer('api', [ofClient('app')])]);
    const malformed = [{ field: 'scopes', problem: 'must be a list' }];
    const { records } = await run([ofServer('api', [ofClient('app', { malformed })])]);
    assert.deepEqual(records, [
      ['api', 'unchanged'],
      ['app', 'refused', 'scopes: must be a list'],
    ]);
  });

  it('changes neither the secret nor the owner of a record, nor the resource server of a client', async () => {
    const { run, store } = server();
    await run([ofServer('api', [ofClient('app')]), ofServer('other')]);
    store.putResourceServer(
      buildResourceServer({ id: 50, key: 'built-in', name: 'Built-in', ownerAuthority: 'system' }),
    );
    const { records } = await run([
      ofServer('api', [ofClient('app', { secret: `${strong}!` })], { secret: `${strong}!` }),
      ofServer('other', [ofClient('app')]),
      ofServer('built-in', [], { secret: undefined }),
    ]);
    assert.deepEqual(
      records.map(([name, outcome]) => [name, outcome]),
      [
        ['api', 'refused'],
        ['app', 'refused'],
        ['other', 'unchanged'],
        ['app', 'refused'],
        ['built-in', 'refused'],
      ],
    );
    assert.match(String(records[0]?.[2]), /^secret: is another one here; .*rotate-secret api/);
    assert.equal(records[3]?.[2], 'is in the import twice');
    assert.match(String(records[4]?.[2]), /^key: belongs to the administration interface/);
    const moved = await run([ofServer('other', [ofClient('app')])]);
    assert.equal(moved.records[1]?.[2], 'clientId: belongs to a client of another resource server');
    for (const another of [
      { ...owner, name: 'noah' },
      { ...owner, identityProvider: 'https://idp.example' },
    ]) {
      const ofAnother = await run([ofServer('api', [], { owner: another })]);
      assert.match(String(ofAnother.records[0]?.[2]), /^owner: is another one here; .*--owner OWNER/);
    }
    const without = await run([
      ofServer('api', [ofClient('app', { secret: undefined })], { secret: undefined }),
    ]);
    assert.deepEqual(without.records, [
      ['api', 'unchanged'],
      ['app', 'unchanged'],
    ]);
  });

  it('refuses a secret that no record can have, also of a record that exists', async () => {
    const { run } = server();
    await run([ofServer('api', [ofClient('app')])]);
    const { records } = await run([
      ofServer('api', [ofClient('app', { secret: weak })], { secret: 'é'.repeat(20) }),
    ]);
    assert.equal(records[0]?.[2], 'secret: must be 1 to 255 ASCII characters');
    assert.match(String(records[1]?.[1]), /refused/);
    for (const secret of [`é${strong}`, `${strong}é`, `${strong}\n`, 'x'.repeat(256)]) {
      const refused = await run([ofServer('api', [], { secret })]);
      assert.equal(refused.records[0]?.[2], 'secret: must be 1 to 255 ASCII characters', secret);
    }
    assert.ok((await run([ofServer('longest', [], { secret: 'x'.repeat(255) })])).isStored);
  });

  it('hashes and compares slowly only outside of its transaction, and only what can be guessed', async () => {
    const slow: string[] = [];
    let place = 'before';
    const { passwords, run, store } = server(
      (transact) => (work) =>
        transact(async (stores) => {
          place = 'within';
          return work(stores).finally(() => {
            place = 'before';
          });
        }),
    );
    for (const name of ['hash', 'matches'] as const) {
      const method = passwords[name].bind(passwords) as (...given: string[]) => Promise<never>;
      Object.assign(passwords, {
        [name](...given: string[]) {
          slow.push(`${name} ${place}`);
          return method(...given);
        },
      });
    }
    const given = [ofServer('api', [ofClient('app', { secret: weak }), ofClient('fine')], { secret: weak })];
    await run(given, { takesWeak: true });
    assert.deepEqual(slow.splice(0), ['hash before', 'hash before']);
    await run(given, { takesWeak: true });
    assert.deepEqual(slow.splice(0), ['matches before', 'matches before']);
    const app = (await store.clients.find('app')) ?? assert.fail('no client');
    store.putClient({ ...app, secret: storedSecret(weak) });
    await run(given, { takesWeak: true });
    assert.deepEqual(slow.splice(0), ['matches before', 'hash before']);
    const strongInstead = [ofServer('api', [], { secret: strong })];
    for (const takesWeak of [true, false]) {
      const { records } = await run(strongInstead, { takesWeak });
      assert.match(String(records[0]?.[2]), /^secret: is another one here/);
    }
    assert.deepEqual(slow, []);
  });

  it('hashes secrets that can be guessed slowly, once for each, before its transaction', async () => {
    const { passwords, run, store } = server();
    const given = [ofServer('api', [ofClient('app', { secret: weak }), ofClient('fine')], { secret: weak })];
    const { records } = await run(given, { takesWeak: true });
    assert.deepEqual(
      records.map(([, outcome]) => outcome),
      ['created', 'created', 'created'],
    );
    assert.match(String(records[0]?.[2]), /can be guessed; rotate it soon with .*rotate-secret api/);
    assert.match(String(records[1]?.[2]), /can be guessed; rotate it soon with .*rotate-secret app/);
    assert.equal(records[2]?.length, 2);
    const [api, app, fine] = [
      (await store.resourceServers.find('api'))?.secret,
      (await store.clients.find('app'))?.secret,
      (await store.clients.find('fine'))?.secret,
    ];
    assert.deepEqual([api, app, fine].map(isWeakSecret), [true, true, false]);
    assert.notDeepEqual(api?.hash, app?.hash);
    assert.ok(await passwords.matches(weak, slowHashes(app, 0)[0]));
    passwords.compared.length = 0;
    const again = await run(given, { takesWeak: true });
    assert.deepEqual(again.records, [
      ['api', 'unchanged'],
      ['app', 'unchanged'],
      ['fine', 'unchanged'],
    ]);
    assert.equal(passwords.compared.length, 2);
    const wrong = [ofServer('api', [ofClient('app', { secret: 'wrong' })], { secret: weak })];
    assert.equal((await run(wrong, { takesWeak: true })).records[1]?.[1], 'refused');
  });

  it('replaces the fast hash that an earlier release stored of a secret that can be guessed', async () => {
    const { run, store } = server();
    const given = [ofServer('api', [ofClient('app', { secret: weak })], { secret: weak })];
    await run([ofServer('api', [ofClient('app')])]);
    const [api, app] = [await store.resourceServers.find('api'), await store.clients.find('app')];
    assert.ok(api !== undefined && app !== undefined);
    store.putResourceServer({ ...api, secret: storedSecret(weak) });
    store.putClient({ ...app, secret: storedSecret(weak) });
    assert.deepEqual((await run(given, { takesWeak: true })).records, [
      ['api', 'changed', 'weakSecret'],
      ['app', 'changed', 'weakSecret'],
    ]);
    assert.ok(isWeakSecret((await store.clients.find('app'))?.secret));
    assert.ok(isWeakSecret((await store.resourceServers.find('api'))?.secret));
    const events = await store.auditEvents.list({ limit: 9 });
    const noted = events.filter(({ after }) => after?.weakSecret === true);
    assert.deepEqual(noted.map(({ recordName }) => recordName).toSorted(), ['api', 'app']);
    assert.deepEqual((await run(given, { takesWeak: true })).records, [
      ['api', 'unchanged'],
      ['app', 'unchanged'],
    ]);
  });

  it('leaves the current secret of a record that has the imported one until the end of an overlap', async () => {
    const { run, store } = server();
    await run([ofServer('api', [ofClient('app')])]);
    const app = (await store.clients.find('app')) ?? assert.fail('no client');
    const secret = {
      ...storedSecret(strong),
      previousHash: storedSecret(weak).hash,
      previousValidUntil: 9e12,
    };
    store.putClient({ ...app, secret });
    const given = [ofServer('api', [ofClient('app', { secret: weak })])];
    assert.deepEqual((await run(given, { takesWeak: true })).records[1], ['app', 'unchanged']);
    assert.deepEqual((await store.clients.find('app'))?.secret, secret);
  });

  it('lets a resource server have JWTs only with clients that can get them, as the import leaves these', async () => {
    const { run } = server();
    const forEver = [ofClient('app', { fields: { expireDuration: 0 } })];
    await run([ofServer('api', forEver)]);
    const withJwts = (clients: readonly ImportedClient[]) =>
      run([ofServer('api', clients, { fields: { accessTokenFormat: 'jwt' } })]);
    for (const clients of [[], forEver]) {
      const { isStored, records } = await withJwts(clients);
      assert.deepEqual([isStored, records[0]?.slice(0, 2)], [false, ['api', 'refused']]);
      assert.match(String(records[0]?.[2]), /app/);
    }
    const corrected = await withJwts([ofClient('app', { fields: { expireDuration: 60 } })]);
    assert.deepEqual(
      [corrected.isStored, corrected.records[0]],
      [true, ['api', 'changed', 'accessTokenFormat']],
    );
  });
});
