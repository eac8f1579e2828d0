import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Client, clientFields, secretMatches, storedFields } from '@watchword/protocol';
import { newClient } from '../../builders/client.ts';
import { otherValues } from '../../builders/field-values.ts';
import { machineSecret } from '../../builders/machine-secret.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

const everyField: Partial<Client> = {
  ...otherValues(clientFields),
  clientName: 'Ünïcode ✓ "quoted"',
  description: "it's; drop table client --",
  contactName: 'Ann',
  contactEmail: 'ann@example.org',
  thumbNailUrl: 'https://example.org/a.png',
  scopes: ['write', 'read'],
  redirectUris: ['https://a.example/cb?x=%20', 'com.example.app:/cb'],
  allowedClientCredentials: false,
  allowedImplicitGrant: false,
  useRefreshTokens: true,
  skipConsent: true,
  trusted: true,
  keepsUserData: true,
  includePrincipal: true,
  expireDuration: 3_155_760_000,
  attributes: { constructor: 'x', toString: '', 'a b': 'ü"\\' },
  tokensValidFrom: 5,
};

export function clientRules(openStore: OpenStore): void {
  it(
    'keeps every field of a client',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const { id, clientId, revision, ...fields } = await addClient(store, 'x', server, everyField);
      const registered = newClient({ ...everyField, resourceServerId: server.id });
      const expected = { managedBy: '', ...registered, formerResourceServers: [] };
      assert.deepEqual(withoutSecret(fields), withoutSecret(expected));
      assert.ok(Number.isSafeInteger(id) && id > 0);
      assert.equal(clientId, 'x');
      const found = await store.clients.find('x');
      assert.deepEqual(found && withoutSecret(found), {
        ...withoutSecret(expected),
        id,
        clientId,
        revision,
      });
      assert.ok(secretMatches(found?.secret, 'client-secret', 0));
    }),
  );

  it(
    'keeps each flag independently',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const flags = storedFields(clientFields)
        .filter(([, { kind }]) => kind.type === 'flag')
        .map(([name]) => name as keyof Client);
      for (const raised of flags) {
        const values = Object.fromEntries(flags.map((flag) => [flag, flag === raised]));
        const client = await addClient(store, raised, server, values);
        for (const flag of flags) assert.equal(client[flag], flag === raised, `${flag} beside ${raised}`);
      }
    }),
  );

  it(
    'keeps a client without a secret',
    withStore(openStore, async (store) => {
      await addClient(store, 'x', await addResourceServer(store, 'api'), { secret: undefined });
      assert.equal((await store.clients.find('x'))?.secret, undefined);
    }),
  );

  it(
    'gives a client the first clientId that no existing client has',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const register = () => store.clients.create(newClient({ resourceServerId: server.id }), ['x', 'x2']);
      const first = await register();
      assert.equal(first?.clientId, 'x');
      assert.equal((await register())?.clientId, 'x2');
      await store.clients.delete(first.id);
      assert.equal((await register())?.clientId, 'x');
    }),
  );

  it(
    'does not register a client for an unknown resource server',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      await store.resourceServers.delete(server.id);
      for (const resourceServerId of [server.id, server.id + 1]) {
        assert.equal(await store.clients.create(newClient({ resourceServerId }), ['x']), undefined);
      }
      assert.equal(await store.clients.find('x'), undefined);
    }),
  );

  it(
    'returns a deleted client nowhere, and does not change it',
    withStore(openStore, async (store) => {
      const { clients } = store;
      const { id } = await addClient(store, 'x', await addResourceServer(store, 'api'));
      assert.ok(await clients.delete(id));
      assert.equal(await clients.find('x'), undefined);
      assert.deepEqual(await clients.findByIds([id]), []);
      assert.deepEqual(await clients.list({ limit: 10 }), []);
      assert.ok(!(await clients.delete(id)));
      assert.ok(!(await clients.replaceSecret(id, machineSecret('new'))));
      assert.ok(!(await clients.revokeTokens(id, 1)));
    }),
  );

  it(
    'never assigns a record id again',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const first = await addClient(store, 'x', server);
      await store.clients.delete(first.id);
      assert.ok((await addClient(store, 'x', server)).id > first.id);
    }),
  );

  it(
    'changes only the named fields, on that client only, and increments the revision',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const client = await addClient(store, 'x', server, { tokensValidFrom: 7 });
      const other = await addClient(store, 'y', server);
      const changed = await store.clients.update(client.id, {
        clientName: 'New',
        scopes: [],
        attributes: { a: 'b' },
        skipConsent: true,
      });
      const { revision, ...fields } = changed ?? assert.fail('not changed');
      const { revision: before, ...expected } = client;
      assert.deepEqual(
        withoutSecret(fields),
        withoutSecret({
          ...expected,
          clientName: 'New',
          scopes: [],
          attributes: { a: 'b' },
          skipConsent: true,
        }),
      );
      assert.ok(revision > before);
      assert.ok(secretMatches(changed?.secret, 'client-secret', 0));
      assert.deepEqual(await store.clients.findById(client.id), changed);
      assert.deepEqual(await store.clients.findById(other.id), other);
      const withoutIt = await store.clients.update(client.id, { secret: undefined });
      assert.equal(withoutIt?.secret, undefined);
      await store.clients.delete(client.id);
      assert.equal(await store.clients.update(client.id, { clientName: 'Late' }), undefined);
      assert.equal(await store.clients.findById(client.id), undefined);
    }),
  );

  it(
    'lists clients by the owner of their resource server, by identity provider and name',
    withStore(openStore, async (store) => {
      const emma = { owner: 'emma', ownerAuthority: 'password' };
      const own = await addResourceServer(store, 'own', emma);
      const also = await addResourceServer(store, 'also', emma);
      const other = await addResourceServer(store, 'other', { ...emma, ownerAuthority: 'idp' });
      await addClient(store, 'a', own);
      await addClient(store, 'b', other);
      await addClient(store, 'c', also);
      const listed = async (owner: { identityProvider: string; name: string }) =>
        (await store.clients.list({ owner, limit: 9 })).map(({ clientId }) => clientId);
      assert.deepEqual(await listed({ identityProvider: 'password', name: 'emma' }), ['a', 'c']);
      assert.deepEqual(await listed({ identityProvider: 'idp', name: 'emma' }), ['b']);
      assert.deepEqual(await listed({ identityProvider: 'password', name: 'Emma' }), []);
    }),
  );

  it(
    'finds clients by ids, and lists them page by page, by resource server',
    withStore(openStore, async (store) => {
      const [one, two] = [await addResourceServer(store, 'one'), await addResourceServer(store, 'two')];
      const a = await addClient(store, 'a', one);
      const b = await addClient(store, 'b', two);
      const c = await addClient(store, 'c', one);
      const names = (clients: readonly Client[]) => clients.map(({ clientId }) => clientId);
      assert.deepEqual(names(await store.clients.findByIds([c.id, a.id, 999_999])).toSorted(), ['a', 'c']);
      assert.deepEqual(await store.clients.findByIds([]), []);
      assert.deepEqual(names(await store.clients.list({ limit: 2 })), ['a', 'b']);
      assert.deepEqual(names(await store.clients.list({ limit: 2, after: b.id })), ['c']);
      assert.deepEqual(names(await store.clients.list({ limit: 9, resourceServerId: one.id })), ['a', 'c']);
      assert.equal(await store.clients.count({}), 3);
      assert.equal(await store.clients.count({ resourceServerId: one.id }), 2);
    }),
  );
}

function withoutSecret({ secret, ...fields }: Partial<Client>) {
  return fields;
}

export function clientsOfScopesRules(openStore: OpenStore): void {
  it(
    'removes scopes from the clients of a resource server, returns each client once, and leaves clients without them unchanged',
    withStore(openStore, async (store) => {
      const [api, another] = [
        await addResourceServer(store, 'api'),
        await addResourceServer(store, 'another'),
      ];
      const both = await addClient(store, 'both', api, {
        scopes: ['read', 'readonly', 'write', 'a%b', "it's"],
      });
      const one = await addClient(store, 'one', api, { scopes: ['read'] });
      const none = await addClient(store, 'none', api, { scopes: ['readonly'] });
      const elsewhere = await addClient(store, 'elsewhere', another, { scopes: ['read', 'write'] });
      const lost = await store.clients.loseScopes(api.id, ['read', 'a%b', "it's", 'unknown']);
      assert.deepEqual(
        lost.toSorted((a, b) => a.id - b.id).map(({ clientId, scopes }) => [clientId, scopes]),
        [
          ['both', both.scopes],
          ['one', one.scopes],
        ],
      );
      const scopes = async (id: number) => (await store.clients.findById(id))?.scopes;
      assert.deepEqual(await scopes(both.id), ['readonly', 'write']);
      assert.deepEqual(await scopes(one.id), []);
      assert.deepEqual(await store.clients.findById(none.id), none);
      assert.deepEqual(await store.clients.findById(elsewhere.id), elsewhere);
    }),
  );

  it(
    'resets the trust of the clients of a resource server that have one of the scopes, and of no others',
    withStore(openStore, async (store) => {
      const [api, another] = [
        await addResourceServer(store, 'api'),
        await addResourceServer(store, 'another'),
      ];
      const trust = { skipConsent: true, trusted: true };
      const both = await addClient(store, 'both', api, { scopes: ['read', 'a%b'], ...trust });
      const one = await addClient(store, 'one', api, { scopes: ["it's"], trusted: true });
      const other = await addClient(store, 'other', api, { scopes: ['read'], skipConsent: true });
      const kept = await addClient(store, 'kept', api, { scopes: ['read'], keepsUserData: true });
      const untouched = [
        await addClient(store, 'none', api, { scopes: ['readonly'], ...trust }),
        await addClient(store, 'never', api, { scopes: ['read'] }),
        await addClient(store, 'elsewhere', another, { scopes: ['read'], ...trust }),
      ];
      const ended = await store.clients.endTrust(api.id, ['read', 'a%b', "it's", 'unknown']);
      assert.deepEqual(
        ended.toSorted((a, b) => a.id - b.id),
        [both, one, other, kept],
      );
      for (const before of [both, one, other, kept]) {
        const after = await store.clients.findById(before.id);
        const revision = after?.revision ?? 0;
        assert.deepEqual(after, {
          ...before,
          skipConsent: false,
          trusted: false,
          keepsUserData: false,
          revision,
        });
        assert.ok(revision > before.revision);
      }
      for (const before of untouched) assert.deepEqual(await store.clients.findById(before.id), before);
      assert.deepEqual(await store.clients.endTrust(api.id, ['read']), []);
    }),
  );
}
