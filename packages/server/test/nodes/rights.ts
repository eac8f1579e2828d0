import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type Administering,
  administrationCallers,
  anApp,
  systemResourceServerId,
} from '@watchword/server-testkit/servers/administration';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';

/** Rights of a client that acts for itself, over all nodes. No node remembers them. */
export function nodeRights(setUp: () => { readonly nodes: Nodes; readonly root: Administering }): void {
  it('lets a machine do what another node gave it a right for, with a token of before, and nothing once one has ended it', async () => {
    const { nodes, root } = setUp();
    const clients = `/admin/resourceServer/${await systemResourceServerId(root)}/client`;
    const registration = {
      ...anApp,
      clientName: 'Robot',
      scopes: ['read', 'write'],
      allowedClientCredentials: true,
    };
    const { clientId, secret } = await root.create(clients, registration);
    const form = { grant_type: 'client_credentials', scope: 'read write' };
    const { json } = await nodes.post('/oauth2/token', form, `${clientId}:${secret}`);
    const [one, ...others] = nodes.nodes.map((node) => administrationCallers({ ...nodes, ...node }));
    const administrator = one?.as(root.token) ?? assert.fail('no node');
    const accounts = () =>
      Promise.all(
        others.map(async (node) => (await node.as(json.access_token).get('/admin/account')).status),
      );
    assert.deepEqual(await accounts(), [403, 403]);
    const right = `/admin/right/${clientId}`;
    const given = await administrator.call('POST', right, { rights: ['accounts:read'] });
    assert.equal(given.status, 200, given.text);
    assert.deepEqual(await accounts(), [200, 200]);
    const ended = await administrator.call('DELETE', `${right}?right=accounts:read`);
    assert.equal(ended.status, 204, ended.text);
    assert.deepEqual(await accounts(), [403, 403]);
  });
}
