import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tokenFactory } from '../builders/access-token.ts';
import { auditEventFactory } from '../builders/audit-event.ts';
import { newClient } from '../builders/client.ts';
import { grantFactory } from '../builders/grant.ts';
import { newResourceServer } from '../builders/resource-server.ts';
import { addClient, addResourceServer } from '../registered.ts';
import { type OpenStore, withStore } from './store-under-test.ts';

export function transactionRules(openStore: OpenStore): void {
  it(
    'reads its own writes in a transaction, and resolves with the result of the work',
    withStore(openStore, async (store) => {
      const found = await store.transact(async ({ resourceServers, clients }) => {
        const server = await resourceServers.create(newResourceServer(), ['api']);
        const client = await clients.create(newClient({ resourceServerId: server?.id ?? 0 }), ['x']);
        await clients.update(client?.id ?? 0, { description: 'changed' });
        return clients.find('x');
      });
      assert.equal(found?.description, 'changed');
      assert.deepEqual(await store.clients.find('x'), found);
      await store.refreshRegistry();
      assert.deepEqual(store.registry.clientByClientId('x'), found);
    }),
  );

  it(
    'reverts everything of a failed transaction',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const client = await addClient(store, 'x', server);
      const make = grantFactory();
      const grant = make.grant({ clientRecordId: client.id });
      const { accessToken: kept } = make.tokens(grant);
      await store.grants.insert(grant, kept);
      const failed = store.transact(async ({ resourceServers, clients, issuedTokens, auditEvents }) => {
        await resourceServers.create(newResourceServer({ name: 'other' }), ['other']);
        await resourceServers.update(server.id, { description: 'changed' });
        await clients.loseScopes(server.id, ['read']);
        await clients.revokeTokens(client.id, 99);
        await issuedTokens.insert(tokenFactory()({ clientRecordId: client.id }), undefined);
        await issuedTokens.revoke(kept.id);
        await issuedTokens.revokeGrants({ identityProvider: 'password', name: 'emma' }, 1, 10);
        await auditEvents.append([auditEventFactory()()]);
        await clients.delete(client.id);
        throw new Error('no');
      });
      await assert.rejects(failed, /^Error: no$/);
      assert.equal(await store.resourceServers.find('other'), undefined);
      assert.equal((await store.resourceServers.findById(server.id))?.description, '');
      const left = await store.clients.find('x');
      assert.deepEqual([left?.scopes, left?.tokensValidFrom], [client.scopes, 0]);
      assert.deepEqual(
        (await store.accessTokens.list({ limit: 9 })).map(({ id }) => id),
        [kept.id],
      );
      assert.deepEqual(await store.auditEvents.list({ limit: 9 }), []);
      assert.equal((await addResourceServer(store, 'still-works')).key, 'still-works');
    }),
  );

  it(
    'runs concurrent transactions as if one after another, and loses no change',
    withStore(openStore, async (store) => {
      const { id } = await addResourceServer(store, 'api', { description: '0' });
      const count = () =>
        store.transact(async ({ resourceServers }) => {
          const current = await resourceServers.findById(id);
          await resourceServers.update(id, { description: String(Number(current?.description) + 1) });
        });
      await Promise.all(Array.from({ length: 20 }, count));
      assert.equal((await store.resourceServers.findById(id))?.description, '20');
    }),
  );

  it(
    'does not block other transactions when one fails',
    withStore(openStore, async (store) => {
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          store.transact(async ({ resourceServers }) => {
            if (index % 2 === 0) throw new Error('no');
            await resourceServers.create(newResourceServer({ name: String(index) }), [`api-${index}`]);
          }),
        ),
      );
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5);
      assert.equal((await store.resourceServers.list({ limit: 10 })).length, 5);
    }),
  );

  it(
    'stores tokens that are issued while a transaction is open, without waiting',
    withStore(openStore, async (store) => {
      const make = tokenFactory();
      const during: Promise<unknown>[] = [];
      await store.transact(async ({ resourceServers }) => {
        for (let index = 0; index < 5; index += 1) {
          during.push(store.accessTokens.insert(make()));
          await resourceServers.create(newResourceServer({ name: String(index) }), [`api-${index}`]);
        }
      });
      await Promise.all(during);
      assert.equal((await store.accessTokens.list({ limit: 9 })).length, 5);
    }),
  );
}
