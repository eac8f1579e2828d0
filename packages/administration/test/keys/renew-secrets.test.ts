import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { KeyRing, secretMatches } from '@watchword/protocol';
import {
  buildAccount,
  buildClient,
  buildPublicClient,
  buildResourceServer,
  FakeClock,
  type MemoryStore,
  machineSecret,
  memoryStore,
  seededRandom,
} from '@watchword/testkit';
import { commandLineCaller } from '../../src/callers/caller.ts';
import { type RenewedSecret, renewAllSecrets } from '../../src/keys/renewal.ts';
import { renewKeys } from '../../src/keys/sealing-keys.ts';

/** More records than one page of a list has. */
const many = 1001;

async function renewed(store: MemoryStore): Promise<readonly RenewedSecret[]> {
  const clock = new FakeClock();
  store.putResourceServer(buildResourceServer());
  store.putResourceServer(buildResourceServer({ id: 2, key: 'other-api' }));
  for (let id = 1; id <= many; id += 1) store.putClient(buildClient({ id, clientId: `client-${id}` }));
  store.putClient(buildPublicClient({ id: 5000, clientId: 'public' }));
  store.putClient(buildClient({ id: 5001, clientId: 'of-other', resourceServerId: 2 }));
  for (let index = 1; index <= many; index += 1) {
    await store.accounts.create(buildAccount({ username: `user-${index}` }));
  }
  const deps = { ...store, clock, random: seededRandom('renewed') };
  const hashPassword = async (password: string) => `hash of ${password}`;
  return renewAllSecrets(commandLineCaller('ops'), { ...deps, hashPassword });
}

describe('renewing all secrets', () => {
  const store = memoryStore();
  let secrets: readonly RenewedSecret[] = [];

  before(async () => {
    secrets = await renewed(store);
  });

  it('stores what it shows, for every resource server, confidential client and account', async () => {
    const named = (type: RenewedSecret['recordType']) =>
      secrets.filter(({ recordType }) => recordType === type);
    assert.deepEqual(
      [named('resourceServer'), named('client'), named('account')].map(({ length }) => length),
      [2, many + 1, many],
    );
    assert.equal(new Set(secrets.map(({ secret }) => secret)).size, secrets.length);
    for (const { name, secret } of named('resourceServer')) {
      const server = await store.resourceServers.find(name);
      assert.ok(server && secretMatches(server.secret, secret, 0), name);
    }
    for (const { name, secret } of named('client')) {
      const client = await store.clients.find(name);
      assert.ok(client?.secret && secretMatches(client.secret, secret, 0), name);
    }
    for (const { name, secret } of named('account')) {
      assert.match(secret, /^[\w-]{24}$/);
      assert.equal((await store.accounts.find(name))?.passwordHash, `hash of ${secret}`, name);
    }
  });

  it('leaves no earlier secret valid, and gives a public client none', async () => {
    const [server, client] = [
      await store.resourceServers.find('test-api'),
      await store.clients.find('client-7'),
    ];
    for (const [record, old] of [
      [server, 'resource-server-secret'],
      [client, 'client-secret'],
    ] as const) {
      assert.ok(record?.secret);
      assert.ok(secretMatches(machineSecret(old), old, 0));
      assert.ok(!secretMatches(record.secret, old, 0));
    }
    assert.equal((await store.clients.find('public'))?.secret, undefined);
  });

  it('is in the audit log, with every record once and no secret', async () => {
    const events = await store.auditEvents.list({ limit: 2 * secrets.length });
    const changed = (records: readonly { readonly recordType: string; readonly name: string }[]) =>
      records.map(({ recordType, name }) => `${recordType} ${name}`).toSorted();
    assert.deepEqual(
      changed(events.map(({ recordType, recordName: name }) => ({ recordType, name }))),
      changed(secrets),
    );
    assert.deepEqual(
      new Set(events.map(({ action }) => action)),
      new Set(['rotateSecret', 'changePassword']),
    );
    const text = JSON.stringify(events);
    assert.equal(secrets.filter(({ secret }) => text.includes(secret)).length, 0);
  });
});

describe('renewing the keys of forms, cursors and digests', () => {
  it('ends what they have sealed, with another random key of digests, and is in the audit log', async () => {
    const store = memoryStore();
    const deps = { ...store, clock: new FakeClock(), random: seededRandom('keys') };
    const ring = await KeyRing.open(deps);
    const sealed = ring.seal('form', 'text');
    const digestKeys: Buffer[] = [];
    const transact: typeof store.transact = (work) =>
      store.transact((stores) =>
        work({
          ...stores,
          keyRenewal: {
            async renew(key, digestKey) {
              digestKeys.push(Buffer.from(digestKey));
              await stores.keyRenewal.renew(key, digestKey);
            },
          },
        }),
      );
    for (const _ of [1, 2]) await renewKeys(commandLineCaller('ops'), { ...deps, transact });
    await ring.read();
    assert.equal(await ring.open('form', sealed), undefined);
    assert.equal(await ring.open('form', ring.seal('form', 'text')), 'text');
    const [first, second] = digestKeys;
    assert.ok(first && second && !first.equals(second) && !first.equals(Buffer.alloc(32)), 'two random keys');
    const [event] = await store.auditEvents.list({ limit: 1 });
    assert.deepEqual([event?.action, event?.recordName], ['rotateSecret', 'keys']);
  });
});
