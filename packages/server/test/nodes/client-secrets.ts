import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type Administering, anApi, anApp } from '@watchword/server-testkit/servers/administration';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';
import { slowTest } from '@watchword/testkit';

/** Several secrets of a client, over all nodes. */
export function nodeClientSecrets(
  setUp: () => { readonly nodes: Nodes; readonly root: Administering },
): void {
  // client-secrets.test.ts of packages/administration holds it at one server, and nodes.test.ts that none knows a replaced one.
  slowTest(
    'takes each secret of a client, knows when it was used at any of them, and takes none that was removed',
    async () => {
      const { nodes, root } = setUp();
      const api = await root.create('/admin/resourceServer', { ...anApi, name: 'Secret API' });
      const path = `/admin/resourceServer/${api.id}/client`;
      const registration = { ...anApp, clientName: 'Changing', allowedClientCredentials: true };
      const { id, clientId, secret: first } = await root.create(path, registration);
      const secrets = `${path}/${id}/secrets`;
      const { secret: second } = await root.create(secrets, { description: 'second' });
      const statuses = (secret: string) =>
        Promise.all(
          nodes.nodes.map(async (node) => {
            const form = { grant_type: 'client_credentials' };
            return (await node.post('/oauth2/token', form, `${clientId}:${secret}`)).status;
          }),
        );
      const [everywhere, nowhere] = [
        [200, 200, 200],
        [401, 401, 401],
      ];
      assert.deepEqual([await statuses(first), await statuses(second)], [everywhere, everywhere]);
      // Each node stores what it knows when it is asked.
      for (const _ of nodes.nodes) {
        const { json } = await root.get(secrets);
        for (const each of json) assert.ok(each.lastUsed > 0, JSON.stringify(each));
      }
      const removed = await root.call('DELETE', `${secrets}/1`);
      assert.equal(removed.status, 204, removed.text);
      // A change that takes something away is known everywhere after this time (docs/adr/0073).
      await delay(1000);
      assert.deepEqual([await statuses(first), await statuses(second)], [nowhere, everywhere]);
      const { secret: third } = await root.create(secrets, { expires: Date.now() + 86_400_000 });
      assert.deepEqual(await statuses(third), everywhere);
      assert.equal((await root.call('PATCH', `${secrets}/3`, { description: 'third' })).status, 200);
      assert.deepEqual(await statuses(third), everywhere);
    },
  );
}
