import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addClient, addResourceServer } from '../../registered.ts';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

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
