import assert from 'node:assert/strict';
import { lastMail } from '@watchword/server-testkit/neighbours/mailbox';
import { type AccountUsers, isLoggedIn } from '@watchword/server-testkit/servers/account-server';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';
import { buildAccount, slowTest } from '@watchword/testkit';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';

const chosen = 'a new and long one';
const typed = { new_password: chosen, new_password_again: chosen };

/** What people do with the links of their mails, over all nodes. */
export function nodeMails(setUp: () => { readonly nodes: Nodes; readonly users: AccountUsers }): void {
  /** Sends a form to each of the three nodes at once; resolves with the statuses. */
  const race = async (send: (node: number) => Promise<Page>) => {
    const sent = await Promise.all([1, 2, 3].map(send));
    return sent.map(({ status }) => status).toSorted();
  };

  // The conformance suite lets one of many callers redeem a link.
  slowTest('signs up once with a link that another node mailed and all redeem at the same time', async () => {
    const email = 'iris@example.org';
    const agent = new UserAgent();
    const { nodes, users } = setUp();
    const { baseUrl } = nodes;
    await agent.submit(await agent.get(`${baseUrl}/account/sign-up`), { email, choice: 'ask' });
    const { path } = (await lastMail(nodes, 'confirm_address', email)).values;
    let page = await agent.get(`${baseUrl}${path}`);
    // Each node knows whose browser asked, and that the link is not used yet.
    for (const _ of nodes.nodes) {
      assert.equal((await new UserAgent().get(`${baseUrl}${path}`)).status, 400);
      page = await agent.get(`${baseUrl}${path}`);
      assert.match(page.text, /Make your account/);
    }
    const names = { display_name: 'Iris' };
    const made = await race((node) => agent.submit(page, { ...typed, ...names, username: `iris-${node}` }));
    assert.deepEqual(made, [200, 400, 400]);
    const [account, ...others] = await nodes.service.store.accounts.listByEmail(email, 9);
    assert.deepEqual(others, []);
    assert.ok(await isLoggedIn(await users.browserOf(account?.username ?? '', chosen), nodes));
    for (const _ of nodes.nodes) assert.equal((await agent.get(`${baseUrl}${path}`)).status, 400);
  });

  slowTest(
    'replaces a forgotten password once with a link that another node mailed and all redeem at the same time',
    async () => {
      const email = 'nora@example.org';
      const { nodes, users } = setUp();
      const { baseUrl, service } = nodes;
      await service.store.accounts.create(buildAccount({ username: 'nora', email }));
      const agent = new UserAgent();
      const asking = await agent.get(`${baseUrl}/account/forgotten-password`);
      await agent.submit(asking, { identifier: 'nora', choice: 'ask' });
      const { path } = (await lastMail(nodes, 'reset_password', email)).values;
      let page = asking;
      for (const _ of nodes.nodes) {
        assert.equal((await new UserAgent().get(`${baseUrl}${path}`)).status, 400);
        page = await agent.get(`${baseUrl}${path}`);
        assert.match(page.text, /Choose a password/);
      }
      assert.deepEqual(await race(() => agent.submit(page, typed)), [200, 400, 400]);
      assert.ok(await isLoggedIn(await users.browserOf('nora', chosen), nodes));
      for (const _ of nodes.nodes) assert.equal((await agent.get(`${baseUrl}${path}`)).status, 400);
    },
  );
}
