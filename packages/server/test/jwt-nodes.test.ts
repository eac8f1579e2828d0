import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountUsers, accountUsers } from '@watchword/server-testkit/account-server';
import type { Administering } from '@watchword/server-testkit/administration';
import { type Application, registerApplication } from '@watchword/server-testkit/application';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients';
import { type Nodes, startNodes } from '@watchword/server-testkit/nodes';
import { decodeJwt, decodeProtectedHeader } from 'jose';

const emma = { username: 'emma', password: 'correct horse' };

/** The balancer gives each request to the next node, so that no two requests of a flow meet the same one. */
describe('JWT access tokens at three nodes with different clocks', () => {
  let nodes: Nodes;
  let users: AccountUsers;
  let root: Administering;
  let api: { credentials: string };
  let app: Application;
  let job: { credentials: string };
  before(async () => {
    nodes = await startNodes([0, 7200, -300], { authenticator: 'password' });
    users = await accountUsers(nodes);
    await users.addAccount('emma');
    root = await users.logIn('root');
    const registered = await registerResourceServer(nodes, 'Orders API', { accessTokenFormat: 'jwt' });
    api = registered;
    const { key } = registered.resourceServer;
    app = await registerApplication(nodes, { expireDuration: 600 }, key);
    job = await registerClient(nodes, { expireDuration: 600 }, key);
  });
  after(() => nodes?.[Symbol.asyncDispose]());

  /** The status of token info at each node. */
  const everywhere = (access_token: string) =>
    Promise.all(
      nodes.nodes.map(
        async (node) => (await node.post('/v1/tokeninfo', { access_token }, api.credentials)).status,
      ),
    );
  const issue = async (): Promise<string> =>
    (await nodes.post('/oauth2/token', { grant_type: 'client_credentials' }, job.credentials)).json
      .access_token;
  const obtain = async () => {
    const code = (await app.authorize({}, emma)).parameters.get('code') ?? '';
    return (await app.redeem(code)).json;
  };

  it('are valid at each, with the time of the database and a key that all know', async () => {
    const tokens = [await issue(), await issue(), await issue()];
    const times = tokens.map((token) => decodeJwt(token).iat ?? 0);
    assert.ok(Math.max(...times) - Math.min(...times) < 60);
    assert.equal(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size, 1);
    for (const token of tokens) assert.deepEqual(await everywhere(token), [200, 200, 200]);
  });

  it('are refused at each as soon as one was revoked at another', async () => {
    for (const _ of nodes.nodes) {
      const token = await issue();
      assert.equal((await nodes.post('/oauth2/revoke', { token }, job.credentials)).status, 200);
      assert.deepEqual(await everywhere(token), [404, 404, 404]);
    }
  });

  it('are refused at each as soon as the grant ended at another', async () => {
    const { access_token, refresh_token } = await obtain();
    assert.deepEqual(await everywhere(access_token), [200, 200, 200]);
    const { grant_id } = decodeJwt(access_token);
    assert.equal((await root.call('DELETE', `/admin/grant/${grant_id}`)).status, 204);
    assert.deepEqual(await everywhere(access_token), [404, 404, 404]);
    assert.equal((await app.refresh(refresh_token)).json.error, 'invalid_grant');
  });

  it('are looked up at one node, and revoked by that id at another', async () => {
    const { access_token: token } = await obtain();
    const { json } = await root.call('POST', '/admin/accessToken/lookup', { token });
    assert.equal((await root.call('DELETE', `/admin/accessToken/${json.id}`)).status, 204);
    assert.deepEqual(await everywhere(token), [404, 404, 404]);
  });
});
