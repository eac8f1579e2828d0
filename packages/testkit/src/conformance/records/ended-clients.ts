import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changeDelay, coarsestTimeUnit, creationDateFor, isRevokedWithClient } from '@watchword/protocol';
import { addClient, addResourceServer } from '../../registered.ts';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

export function endedClientRules(openStore: OpenStore): void {
  it(
    'gives a client that has the clientId of a deleted one no tokens of that one',
    withStore(openStore, async (store, clock) => {
      const server = await addResourceServer(store, 'api');
      const first = await addClient(store, 'x', server);
      assert.equal(first.tokensValidFrom, 0);
      await store.clients.delete(first.id);
      const second = await addClient(store, 'x', server);
      assert.equal(second.tokensValidFrom, clock.now() + changeDelay);
      assert.equal((await addClient(store, 'y', server)).tokensValidFrom, 0);
      await store.clients.delete(second.id);
      const later = clock.now() + 9999;
      assert.equal((await addClient(store, 'x', server, { tokensValidFrom: later })).tokensValidFrom, later);
    }),
  );

  it(
    'stores the time at which the tokens of a client were revoked, on that client only',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const { id } = await addClient(store, 'x', server);
      await addClient(store, 'y', server);
      assert.ok(await store.clients.revokeTokens(id, 1000));
      assert.equal((await store.clients.find('x'))?.tokensValidFrom, 1000);
      assert.equal((await store.clients.find('y'))?.tokensValidFrom, 0);
    }),
  );

  it(
    'revokes what was issued since the last revocation, which has a date after it, also when the clock was set back',
    withStore(openStore, async (store) => {
      const { id } = await addClient(store, 'x', await addResourceServer(store, 'api'));
      const find = async () => (await store.clients.find('x')) ?? assert.fail();
      await store.clients.revokeTokens(id, 10_400);
      for (const time of [10_401, 10_402, 9000]) {
        const client = await find();
        const issued = [1, coarsestTimeUnit].map((unit) => creationDateFor(client, time, unit));
        await store.clients.revokeTokens(id, time);
        const revoked = await find();
        for (const creationDate of issued) assert.ok(isRevokedWithClient(revoked, { creationDate }));
      }
      await store.clients.revokeTokens(id, 20_500);
      assert.equal((await find()).tokensValidFrom, 20_500);
    }),
  );

  it(
    'gives a client no token of the deleted client of its name that was issued right after a revocation',
    withStore(openStore, async (store, clock) => {
      for (const recordOf of ['client', 'resourceServer'] as const) {
        const server = await addResourceServer(store, recordOf);
        const { id } = await addClient(store, 'x', server, { tokensValidFrom: clock.now() + 1500 });
        const client = (await store.clients.find('x')) ?? assert.fail();
        const creationDate = creationDateFor(client, clock.now(), coarsestTimeUnit);
        if (recordOf === 'client') await store.clients.delete(id);
        else await store.resourceServers.delete(server.id);
        const listed = (await store.revocations.listClients(0)).filter(
          (each) => each.resourceServerId === server.id,
        );
        assert.ok(listed.every(({ revokedAt }) => revokedAt >= creationDate) && listed.length === 1);
        const next = await addClient(store, 'x', await addResourceServer(store, `${recordOf} of the next`));
        assert.ok(isRevokedWithClient(next, { creationDate }));
        await store.clients.delete(next.id);
      }
    }),
  );
}
