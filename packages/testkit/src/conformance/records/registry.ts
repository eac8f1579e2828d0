import assert from 'node:assert/strict';
import { it } from 'node:test';
import { secretMatches, withNewSecret } from '@watchword/protocol';
import { machineSecret } from '../../builders/machine-secret.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

export function registryRules(openStore: OpenStore): void {
  it(
    'finds a registered record by each of its names',
    withStore(openStore, async (store) => {
      const { registry } = store;
      const server = await addResourceServer(store, 'api');
      const client = await addClient(store, 'x', server, { expireDuration: 60 });
      await store.refreshRegistry();
      assert.deepEqual(registry.resourceServerByKey('api'), server);
      assert.deepEqual(registry.resourceServerById(server.id), server);
      assert.deepEqual(registry.clientByClientId('x'), client);
      assert.deepEqual(registry.clientById(client.id), client);
    }),
  );

  it(
    'finds a resource server by each of its URIs in any spelling, until it loses them',
    withStore(openStore, async (store) => {
      const { registry, resourceServers } = store;
      const resources = ['https://mcp.example', 'https://api.example/v1?tenant=a'];
      const server = await addResourceServer(store, 'api', { resources });
      const other = await addResourceServer(store, 'other');
      await store.refreshRegistry();
      const found = (uri: string) => registry.resourceServerByUri(uri)?.id;
      for (const uri of [...resources, 'https://mcp.example/', 'HTTPS://MCP.example:443']) {
        assert.equal(found(uri), server.id, uri);
      }
      const unlike = ['https://mcp.example/x', 'https://api.example/v1', 'http://mcp.example', 'mcp.example'];
      for (const uri of [...unlike, '', 'https://mcp.example/#a', ' https://mcp.example', 'constructor']) {
        assert.equal(found(uri), undefined, uri);
      }
      await resourceServers.update(server.id, { resources: ['https://api.example/v1?tenant=a'] });
      await resourceServers.update(other.id, { resources: ['https://mcp.example/'] });
      await store.refreshRegistry();
      assert.deepEqual([found('https://mcp.example'), found(resources[1] ?? '')], [other.id, server.id]);
      await resourceServers.delete(other.id);
      await store.refreshRegistry();
      assert.equal(found('https://mcp.example'), undefined);
    }),
  );

  it(
    'knows which clients of others can use a resource server',
    withStore(openStore, async (store) => {
      const { registry, clients } = store;
      const [home, api] = [await addResourceServer(store, 'home'), await addResourceServer(store, 'api')];
      await addClient(store, 'own', api);
      const plain = await addClient(store, 'plain', home);
      const otherResourceServers = [{ resourceServerId: api.id, scopes: ['read'] }];
      const using = await addClient(store, 'using', home, { otherResourceServers });
      await store.refreshRegistry();
      assert.deepEqual([...registry.clientsOfOthers(api.id)], [using.id]);
      assert.deepEqual(registry.clientById(using.id), using);
      assert.deepEqual([...registry.clientsOfOthers(home.id)], []);
      await clients.update(plain.id, { otherResourceServers });
      await clients.delete(using.id);
      await store.refreshRegistry();
      assert.deepEqual([...registry.clientsOfOthers(api.id)], [plain.id]);
    }),
  );

  it(
    'finds nothing under an unknown name',
    withStore(openStore, async (store) => {
      const { registry } = store;
      const server = await addResourceServer(store, 'api');
      await addClient(store, 'x', server);
      await store.refreshRegistry();
      for (const name of ['X', 'api', '', '__proto__', 'constructor']) {
        assert.equal(registry.clientByClientId(name), undefined, name);
      }
      for (const name of ['API', 'x', '', '__proto__']) {
        assert.equal(registry.resourceServerByKey(name), undefined, name);
      }
      assert.equal(registry.clientById(999_999), undefined);
      assert.equal(registry.resourceServerById(999_999), undefined);
    }),
  );

  it(
    'applies a new secret, a revocation and a deletion',
    withStore(openStore, async (store) => {
      const { registry } = store;
      const server = await addResourceServer(store, 'api');
      const { id } = await addClient(store, 'x', server);
      await store.clients.replaceSecret(id, machineSecret('new'));
      await store.clients.revokeTokens(id, 1000);
      await store.resourceServers.replaceSecret(server.id, machineSecret('newer'));
      await store.refreshRegistry();
      assert.ok(secretMatches(registry.clientById(id)?.secret, 'new', 0));
      assert.equal(registry.clientByClientId('x')?.tokensValidFrom, 1000);
      assert.ok(secretMatches(registry.resourceServerByKey('api')?.secret, 'newer', 0));

      const { secret } = registry.clientById(id) ?? {};
      const twice = withNewSecret('one more', { description: '', expires: 9 }, secret, 0);
      await store.clients.replaceSecret(id, twice);
      await store.refreshRegistry();
      for (const text of ['new', 'one more'])
        assert.ok(secretMatches(registry.clientById(id)?.secret, text, 8), text);
      assert.ok(!secretMatches(registry.clientById(id)?.secret, 'one more', 9));

      await store.clients.delete(id);
      await store.refreshRegistry();
      assert.equal(registry.clientById(id), undefined);
      assert.equal(registry.clientByClientId('x'), undefined);
    }),
  );

  it(
    'keeps slow hashes of secrets, of any length',
    withStore(openStore, async (store) => {
      const { registry } = store;
      const server = await addResourceServer(store, 'api');
      const { id } = await addClient(store, 'x', server);
      const secret = { ...machineSecret('x'), hash: Buffer.from('$argon2id$'.padEnd(97, 'h')) };
      const replaced = { ...machineSecret('new'), previousHash: secret.hash, previousValidUntil: 9 };
      await store.clients.replaceSecret(id, secret);
      await store.resourceServers.replaceSecret(server.id, replaced);
      await store.refreshRegistry();
      assert.deepEqual(Buffer.from(registry.clientById(id)?.secret?.hash ?? []), secret.hash);
      const { previousHash } = registry.resourceServerByKey('api')?.secret ?? {};
      assert.deepEqual(Buffer.from(previousHash ?? []), secret.hash);
    }),
  );

  it(
    'removes a client with its resource server',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const client = await addClient(store, 'x', server);
      await store.refreshRegistry();
      await store.resourceServers.delete(server.id);
      await store.refreshRegistry();
      assert.equal(store.registry.clientById(client.id), undefined);
      assert.equal(store.registry.clientByClientId('x'), undefined);
      assert.equal(store.registry.resourceServerById(server.id), undefined);
      assert.equal(store.registry.resourceServerByKey('api'), undefined);
    }),
  );

  it(
    'finds the new record of a name that was reassigned between two refreshes',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const old = await addClient(store, 'x', server);
      await store.refreshRegistry();
      await store.clients.delete(old.id);
      const current = await addClient(store, 'x', server);
      await store.refreshRegistry();
      assert.equal(store.registry.clientByClientId('x')?.id, current.id);
      assert.equal(store.registry.clientById(old.id), undefined);
    }),
  );

  it(
    'counts records: all, of one owner, of one resource server',
    withStore(openStore, async (store) => {
      const emma = { name: 'emma', identityProvider: 'form' };
      const mine = await addResourceServer(store, 'mine', { owner: emma.name, ownerAuthority: 'form' });
      const namesake = await addResourceServer(store, 'other', { owner: emma.name, ownerAuthority: 'saml' });
      await addClient(store, 'one', mine);
      const gone = await addClient(store, 'two', mine);
      await addClient(store, 'three', namesake);
      await store.refreshRegistry();
      const { registry } = store;
      assert.deepEqual([registry.countResourceServers(), registry.countResourceServers(emma)], [2, 1]);
      assert.deepEqual(
        [...registry.resourceServers()].map(({ id }) => id).sort(),
        [mine.id, namesake.id].sort(),
      );
      assert.deepEqual([registry.countClients(), registry.countClients({ owner: emma })], [3, 2]);
      assert.equal(registry.countClients({ resourceServerId: namesake.id }), 1);
      await store.clients.delete(gone.id);
      await store.resourceServers.delete(namesake.id);
      await store.refreshRegistry();
      assert.deepEqual([registry.countResourceServers(), registry.countClients()], [1, 1]);
      assert.equal(registry.countClients({ resourceServerId: namesake.id }), 0);
    }),
  );

  it(
    'knows the clients of users that no administrator has confirmed',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'mine');
      const users = { redirectUris: ['https://app.example/'] };
      const [one, two, three] = [
        await addClient(store, 'one', server, users),
        await addClient(store, 'two', server, users),
        await addClient(store, 'three', server, users),
      ];
      await addClient(store, 'for itself', server, { redirectUris: [] });
      await store.refreshRegistry();
      const { registry } = store;
      assert.deepEqual([...registry.unconfirmedClients()].sort(), [one.id, two.id, three.id].sort());
      await store.clients.update(two.id, { trusted: true });
      await store.clients.delete(three.id);
      await store.refreshRegistry();
      assert.deepEqual([...registry.unconfirmedClients()], [one.id]);
    }),
  );

  it(
    'has the origins of the redirect URIs of existing public clients',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const isAllowed = (origin: string) => store.registry.isPublicClientOrigin(origin);
      const open = { allowedImplicitGrant: true, secret: undefined };
      const one = await addClient(store, 'one', server, {
        ...open,
        redirectUris: ['https://a.example/cb', 'https://a.example/other', 'com.example.app:/cb'],
      });
      const two = await addClient(store, 'two', server, { ...open, redirectUris: ['https://a.example/x'] });
      await addClient(store, 'closed', server, { redirectUris: ['https://b.example/cb'] });
      await store.refreshRegistry();
      assert.ok(isAllowed('https://a.example'));
      for (const origin of ['https://b.example', 'http://a.example', 'https://a.example:8443', 'null', '']) {
        assert.equal(isAllowed(origin), false, origin);
      }
      const native = ['http://localhost:3000/cb', 'http://127.0.0.1/cb'];
      await addClient(store, 'native', server, { ...open, redirectUris: native });
      await store.refreshRegistry();
      for (const host of ['localhost', '127.0.0.1']) {
        for (const port of ['', ':1', ':3000', ':65535']) assert.ok(isAllowed(`http://${host}${port}`));
      }
      for (const origin of ['http://[::1]:3000', 'https://localhost', 'http://localhost.evil.example:3000']) {
        assert.equal(isAllowed(origin), false, origin);
      }
      await store.clients.delete(one.id);
      await store.refreshRegistry();
      assert.ok(isAllowed('https://a.example'));
      await store.clients.delete(two.id);
      await store.refreshRegistry();
      assert.ok(!isAllowed('https://a.example'));
    }),
  );
}
