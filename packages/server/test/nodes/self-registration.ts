import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '@watchword/server-testkit/clients/ask';
import { watchword } from '@watchword/server-testkit/processes/process';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import type { Node, Nodes } from '@watchword/server-testkit/servers/nodes';
import { slowTest } from '@watchword/testkit';

interface SetUp {
  readonly nodes: Nodes;
  readonly root: Administering;
}

interface Linted {
  readonly name: string;
  readonly findings: readonly { readonly rule: string }[];
}

const tool = {
  client_name: 'Tool of nodes',
  redirect_uris: ['http://127.0.0.1:4711/callback'],
  token_endpoint_auth_method: 'none',
};

/** Clients that register themselves, over all nodes. */
export function nodeSelfRegistration(setUp: () => SetUp): void {
  const send = (node: Node, method: string, token: string, body?: unknown, clientId = '') =>
    ask(`${node.baseUrl}/oauth2/register${clientId && `/${clientId}`}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  slowTest(
    'registers one client of many that come at once to all nodes with an initial access token for one',
    async () => {
      const { nodes, root } = setUp();
      const { token } = await root.create('/admin/initialToken', { note: 'Once', maxClients: 1 });
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, at) => {
          const node = nodes.nodes[at % nodes.nodes.length] ?? assert.fail('no node');
          return send(node, 'POST', token, tool);
        }),
      );
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted(),
        [201, ...Array.from({ length: 8 }, () => 401)],
        answers.map(({ text }) => text).join('\n'),
      );
    },
  );

  slowTest('manages, lints and ends a registration of one node at the others', async () => {
    const { nodes, root } = setUp();
    const [one, two, three] = nodes.nodes;
    if (one === undefined || two === undefined || three === undefined) assert.fail('three nodes');
    const { token } = await root.create('/admin/initialToken', { note: 'Managed' });
    const { json: made } = await send(one, 'POST', token, tool);
    const { client_id: clientId, registration_access_token: own } = made;
    const changed = { ...tool, client_id: clientId, redirect_uris: ['com.example.tool:/callback'] };
    assert.equal((await send(two, 'PUT', own, changed, clientId)).status, 200);
    const { json: read } = await send(three, 'GET', own, undefined, clientId);
    assert.deepEqual(read.redirect_uris, changed.redirect_uris);
    const lint = `/admin/lint?profile=mcp&clientId=${encodeURIComponent(clientId)}`;
    for (const node of nodes.nodes) {
      const { json } = await node.get(lint, { authorization: `Bearer ${root.token}` });
      assert.deepEqual(
        json.map(({ name, findings }: Linted) => [name, findings.map(({ rule }) => rule)]),
        [[clientId, ['profile_web_redirect_uri']]],
      );
    }
    const flags = ['--url', nodes.service.baseUrl, '--profile', 'mcp', '--json'];
    const linted = await watchword(['lint', ...flags], { env: { WATCHWORD_ADMIN_TOKEN: root.token } });
    assert.equal(linted.code, 3, linted.stderr);
    const found: { readonly name: string; readonly rule: string }[] = JSON.parse(linted.stdout);
    const rules = found.filter(({ name }) => name === clientId).map(({ rule }) => rule);
    assert.deepEqual(rules, ['profile_web_redirect_uri']);
    assert.equal((await send(three, 'DELETE', own, undefined, clientId)).status, 204);
    await delay(1000);
    for (const node of nodes.nodes) {
      assert.equal((await send(node, 'GET', own, undefined, clientId)).status, 401);
      const page = await node.get(`/authorize?response_type=code&client_id=${clientId}`);
      assert.equal(page.status, 400);
      assert.match(page.text, /client/);
    }
  });
}
