import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  afterPace,
  type DocumentSite,
  describedRequest,
  logInDescribed,
  toolDocuments,
} from '@watchword/server-testkit/clients/document-site';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';
import { slowTest } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';

interface SetUp {
  readonly nodes: Nodes;
  readonly site: DocumentSite;
  readonly root: Administering;
  readonly password: string;
}

/** Clients that a document describes, over all nodes. Each reads the document itself. */
export function nodeClientDocuments(setUp: () => SetUp): void {
  const logIn = (path: string) => {
    const { nodes, site, password } = setUp();
    const clientId = site.serve(path, toolDocuments.opencode);
    return { clientId, tokens: () => logInDescribed(nodes, clientId, 'emma', password) };
  };
  /** The status of the token at each node. */
  const statuses = (token: string) =>
    Promise.all(
      setUp().nodes.nodes.map(async (node) => {
        const authorization = `Bearer ${token}`;
        return (await node.get('/oauth2/userinfo', { authorization })).status;
      }),
    );
  const refreshes = (clientId: string, refreshToken: string) =>
    Promise.all(
      setUp().nodes.nodes.map(async (node) => {
        const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId };
        return (await node.post('/oauth2/token', form)).json.error;
      }),
    );

  slowTest(
    'logs in to a client that a document describes, and ends it at all when an administrator ends it at one',
    async () => {
      const { nodes, root } = setUp();
      const { clientId, tokens } = logIn('/nodes.json');
      const { access_token, refresh_token } = await tokens();
      assert.deepEqual(await statuses(access_token), [200, 200, 200]);
      const client = await nodes.service.store.clients.find(clientId);
      const path = `/admin/resourceServer/${client?.resourceServerId}/client/${client?.id}`;
      assert.equal((await root.call('DELETE', path)).status, 204);
      await delay(1000);
      assert.deepEqual(await statuses(access_token), [401, 401, 401]);
      assert.deepEqual(await refreshes(clientId, refresh_token), Array(3).fill('invalid_client'));
      assert.deepEqual(await statuses((await tokens()).access_token), [200, 200, 200]);
    },
  );

  it('refuses the clients of a host within a second when another node blocks it, and ends what they had', async () => {
    const { nodes, root } = setUp();
    const { clientId, tokens } = logIn('/blocked.json');
    const { access_token, refresh_token } = await tokens();
    const decide = (effect: string) => root.call('PUT', '/admin/clientHost/localhost', { effect });
    assert.equal((await decide('block')).status, 200);
    await delay(1000);
    for (const node of nodes.nodes) {
      const request = describedRequest({ ...nodes, baseUrl: node.baseUrl }, clientId);
      const page = await afterPace(() => new UserAgent().get(request));
      assert.equal(page.status, 400, page.text);
      assert.match(page.text, /is not permitted here/);
    }
    assert.deepEqual(await statuses(access_token), [401, 401, 401]);
    assert.deepEqual(await refreshes(clientId, refresh_token), Array(3).fill('invalid_client'));
  });
}
