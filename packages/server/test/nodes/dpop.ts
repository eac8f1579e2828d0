import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';
import { demoClient } from '@watchword/server-testkit/servers/server';
import { basic, rounds } from '@watchword/testkit';
import { DpopKey } from '@watchword/testkit/dpop-key';

/** Proofs that a client sends to several nodes. */
export function nodeProofs(nodes: () => Nodes): void {
  it('takes a DPoP proof once among all nodes, and the nonce of any of them', async () => {
    const key = await DpopKey.create();
    const url = `${nodes().service.baseUrl}/oauth2/token`;
    const ask = (node: Nodes['nodes'][number], dpop: string) =>
      fetch(`${node.baseUrl}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: basic(demoClient), dpop },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
    const { nodes: all } = nodes();
    // By the clock of this process, which is that of the database and of no node but the first.
    for (let round = 0; round < rounds(2, 5); round += 1) {
      const dpop = await key.proof({ method: 'POST', url });
      const answers = await Promise.all(all.map((node) => ask(node, dpop)));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400]);
    }
    const claims = { iat: 1 };
    for (const node of all) {
      const late = await ask(node, await key.proof({ method: 'POST', url, claims }));
      assert.equal(((await late.json()) as { error: string }).error, 'use_dpop_nonce');
      const nonce = late.headers.get('dpop-nonce') ?? assert.fail('no nonce');
      const dpop = await key.proof({ method: 'POST', url, claims, nonce });
      const answers = await Promise.all(all.map((each) => ask(each, dpop)));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400]);
    }
  });
}
