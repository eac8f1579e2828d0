import assert from 'node:assert/strict';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';
import { demoResourceServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { assertError } from '../support/error-answers.ts';

/** The hybrid flow over all nodes. @param user who has a local account */
export function nodeHybridFlow(
  nodes: () => Nodes,
  user: { readonly username: string; readonly password: string },
): void {
  // CD-2 (races.ts) holds the code, certification/code-plans.test.ts the response.
  slowTest(
    'redeems the code of a hybrid response of another node once, whose tokens all nodes know and end',
    async () => {
      const app = await registerApplication(nodes(), { allowedHybrid: true });
      const request = { response_type: 'code id_token token', scope: 'openid read', nonce: 'n-1' };
      const { parameters } = await app.authorize(request, user);
      const [code, token, idToken] = ['code', 'access_token', 'id_token'].map(
        (name) => parameters.get(name) ?? '',
      );
      /** The status of token info at each node. */
      const everywhere = (access_token: string) =>
        Promise.all(
          nodes().nodes.map(
            async (node) => (await node.post('/v1/tokeninfo', { access_token }, demoResourceServer)).status,
          ),
        );
      assert.deepEqual(await everywhere(token ?? ''), [200, 200, 200]);
      for (const node of nodes().nodes) {
        const keys = JSON.parse((await node.get('/oauth2/jwks')).text) as JSONWebKeySet;
        const { payload } = await jwtVerify(idToken ?? '', createLocalJWKSet(keys), {
          audience: app.client.clientId,
        });
        assert.equal(payload.nonce, 'n-1');
      }
      const redeemed = await app.redeem(code ?? '');
      assert.equal(redeemed.status, 200, redeemed.text);
      assert.deepEqual(await everywhere(redeemed.json.access_token), [200, 200, 200]);
      assertError(await app.redeem(code ?? ''), 400, 'invalid_grant');
      for (const each of [token ?? '', redeemed.json.access_token])
        assert.deepEqual(await everywhere(each), [404, 404, 404]);
    },
  );
}
