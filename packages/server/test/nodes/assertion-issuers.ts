import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { DocumentSite } from '@watchword/server-testkit/clients/document-site';
import type { AccountUsers } from '@watchword/server-testkit/servers/account-server';
import { type Administering, anApi, anApp } from '@watchword/server-testkit/servers/administration';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';
import { slowTest } from '@watchword/testkit';
import { assertionType, ClientKey } from '@watchword/testkit/client-key';

/** By the settings of the nodes. */
export const privateIssuer = 'https://kubernetes.default.svc';
export const privateKeysPath = '/openid/v1/jwks';

interface SetUp {
  readonly nodes: Nodes;
  readonly site: DocumentSite;
  readonly root: Administering;
  readonly users: AccountUsers;
}

/** Clients for which a cluster signs, over all nodes. Each reads the keys itself. */
export function nodeAssertionIssuers(setUp: () => SetUp): void {
  // attacks/clients/assertion-issuers.test.ts holds it at one server, and nodes.test.ts that a change is known at all.
  slowTest(
    'takes an assertion of an issuer whose keys the operator has at each node, and nowhere once another removes it',
    async () => {
      const { nodes, site, root, users } = setUp();
      const cluster = await ClientKey.create('ES256', 'cluster');
      const tokens: (string | undefined)[] = [];
      site.answer(privateKeysPath, ({ headers }, response) => {
        tokens.push(headers.authorization);
        response.end(JSON.stringify({ keys: [cluster.jwk] }));
      });
      const [sub, aud] = ['system:serviceaccount:jobs:night-job', 'watchword'];
      const registered = async (owner: Administering, name: string) => {
        const api = await owner.call('POST', '/admin/resourceServer', { ...anApi, name });
        const path = `/admin/resourceServer/${api.json.id}/client`;
        const answer = await owner.call('POST', path, {
          ...anApp,
          clientName: name,
          allowedClientCredentials: true,
          tokenEndpointAuthMethod: 'assertion_issuer',
          assertionIssuers: [{ issuer: privateIssuer, audience: aud, subject: sub }],
        });
        return { ...answer, path };
      };
      const refused = await registered(await users.logIn('emma'), 'Workload of Emma');
      assert.equal(refused.status, 400, refused.text);
      assert.match(refused.text, /has an issuer \(number 1\) without keys/);
      const { status, json, text, path } = await registered(root, 'Workload');
      assert.equal(status, 201, text);
      const exp = Math.floor(Date.now() / 1000) + 600;
      const form = {
        grant_type: 'client_credentials',
        client_id: json.clientId,
        client_assertion_type: assertionType,
        client_assertion: await cluster.sign({ iss: privateIssuer, aud, sub, exp }),
      };
      /** The status and the error of a token request to each node. */
      const everywhere = () =>
        Promise.all(
          nodes.nodes.map(async (node) => {
            const answer = await node.post('/oauth2/token', form);
            return `${answer.status} ${answer.json.error}`;
          }),
        );
      assert.deepEqual(await everywhere(), Array(3).fill('200 undefined'));
      assert.deepEqual(tokens, Array(3).fill('Bearer token-of-the-operator'));
      const removed = { tokenEndpointAuthMethod: '', assertionIssuers: [] };
      const edited = await root.call('PATCH', `${path}/${json.id}`, removed);
      assert.equal(edited.status, 200, edited.text);
      await delay(1000);
      assert.deepEqual(await everywhere(), Array(3).fill('401 invalid_client'));
    },
  );
}
